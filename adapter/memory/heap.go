package memory

import stdheap "container/heap"

// heap holds records by their due times, and those of one due time in the
// order they came. A record knows its place, so that any can leave.
type heap struct {
	nodes []node
	came  uint64
}

type node struct {
	due  int64
	came uint64
	r    *record
}

func (n *node) before(o *node) bool {
	return n.due < o.due || n.due == o.due && n.came < o.came
}

// due is when the first is due.
func (h *heap) due() int64 {
	if len(h.nodes) == 0 {
		return never
	}
	return h.nodes[0].due
}

func (h *heap) push(r *record) {
	h.came++
	h.nodes = append(h.nodes, node{r.due, h.came, r})
	h.up(len(h.nodes) - 1)
}

func (h *heap) remove(r *record) {
	i, last := r.at, len(h.nodes)-1
	moved := h.nodes[last]
	h.nodes[last] = node{}
	h.nodes = h.nodes[:last]
	switch {
	case i < last:
		h.nodes[i] = moved
		moved.r.at = i
		if !h.up(i) {
			h.down(i)
		}
	case last == 0 && cap(h.nodes) > 1024: // a long queue leaves nothing behind
		h.nodes = nil
	}
}

// up moves node i towards the top and reports whether it moved.
func (h *heap) up(i int) bool {
	n, from := h.nodes[i], i
	for i > 0 {
		parent := (i - 1) / 2
		if !n.before(&h.nodes[parent]) {
			break
		}
		h.set(i, h.nodes[parent])
		i = parent
	}
	h.set(i, n)
	return i < from
}

func (h *heap) down(i int) {
	n := h.nodes[i]
	for {
		child := 2*i + 1
		if child >= len(h.nodes) {
			break
		}
		if child+1 < len(h.nodes) && h.nodes[child+1].before(&h.nodes[child]) {
			child++
		}
		if !h.nodes[child].before(&n) {
			break
		}
		h.set(i, h.nodes[child])
		i = child
	}
	h.set(i, n)
}

func (h *heap) set(i int, n node) {
	h.nodes[i] = n
	n.r.at = i
}

// sorted yields the records in order without taking them out. A step costs by
// how many were yielded, not by how many there are: only the children of those
// are candidates.
func (h *heap) sorted(yield func(*record) bool) {
	c := candidates{of: h.nodes}
	for c.add(0); c.Len() > 0; {
		i := stdheap.Pop(&c).(int)
		if !yield(h.nodes[i].r) {
			return
		}
		c.add(2*i + 1)
		c.add(2*i + 2)
	}
}

// candidates are places in a heap, themselves a heap.
type candidates struct {
	of     []node
	places []int
}

func (c *candidates) add(i int) {
	if i < len(c.of) {
		stdheap.Push(c, i)
	}
}

func (c *candidates) Len() int           { return len(c.places) }
func (c *candidates) Less(i, j int) bool { return c.of[c.places[i]].before(&c.of[c.places[j]]) }
func (c *candidates) Swap(i, j int)      { c.places[i], c.places[j] = c.places[j], c.places[i] }
func (c *candidates) Push(i any)         { c.places = append(c.places, i.(int)) }

func (c *candidates) Pop() any {
	last := len(c.places) - 1
	i := c.places[last]
	c.places = c.places[:last]
	return i
}
