package memory

// link is a record's place in a list.
type link struct{ prev, next *record }

// list is a doubly linked list of records; at says which of a record's links
// it uses.
type list struct{ head, tail *record }

func readyLink(r *record) *link { return &r.byReady }
func ageLink(r *record) *link   { return &r.byAge }

// insert puts r behind prev, or in front of all where prev is nil.
func (l *list) insert(r, prev *record, at func(*record) *link) {
	next := l.head
	if prev != nil {
		next = at(prev).next
		at(prev).next = r
	} else {
		l.head = r
	}
	if next != nil {
		at(next).prev = r
	} else {
		l.tail = r
	}
	*at(r) = link{prev, next}
}

func (l *list) remove(r *record, at func(*record) *link) {
	prev, next := at(r).prev, at(r).next
	if prev != nil {
		at(prev).next = next
	} else {
		l.head = next
	}
	if next != nil {
		at(next).prev = prev
	} else {
		l.tail = prev
	}
	*at(r) = link{}
}
