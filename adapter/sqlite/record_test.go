package sqlite

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
)

var records = map[string]record{
	"a body":   {identity: identity{1, 2, 3, 15: 9}, enqueued: 1, entered: 2, typ: adapter.Text, body: []byte("hello"), bytes: 5},
	"no body":  {typ: adapter.Bytes, body: []byte{}},
	"a place":  {first: 7, attempts: 3, enqueued: 1 << 41, entered: 1 << 42, chunk: 512, lo: 3, hi: 40, total: 100, bytes: 7400},
	"moved":    {origin: adapter.Origin{Queue: "队列\x00", Attempts: 4}, chunk: 256, hi: 1, total: 1},
	"extremes": {first: maxInt32, attempts: maxInt32, enqueued: math.MaxInt64, entered: math.MaxInt64, chunk: math.MaxInt64, lo: maxInt32 - 1, hi: maxInt32, total: maxInt32, bytes: math.MaxInt64},
}

func TestRecordSurvives(t *testing.T) {
	t.Parallel()
	for name, r := range records {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := r.append(nil)
			got, err := parseRecord(b)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(r, got, cmp.AllowUnexported(record{})); d != "" {
				t.Error(d)
			}
			for n := range b {
				if _, err := parseRecord(b[:n]); !errors.Is(err, errDamaged) {
					t.Errorf("of %d bytes the first %d: error %v, want %v", len(b), n, err, errDamaged)
				}
			}
			if _, err := parseRecord(append(b, 0)); !errors.Is(err, errDamaged) {
				t.Errorf("with a byte too many: error %v", err)
			}
		})
	}
}

// A record with something that this version does not know is not taken for
// one without it.
func TestRecordOfNewerVersion(t *testing.T) {
	t.Parallel()
	r := records["a place"]
	b := r.append(nil)
	for bit := range 8 {
		if flag := byte(1) << bit; flag&knownBits == 0 {
			b[0] = flag
			if _, err := parseRecord(b); !errors.Is(err, errNewer) {
				t.Errorf("bit %d: error %v, want %v", bit, err, errNewer)
			}
		}
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	id := identity{0: 0xab, 12: 0xff, 13: 0xff, 14: 0xff, 15: 0xfe}
	seen := map[string]bool{}
	for i := range 1000 {
		text := string(id.appendID(nil, i))
		if len(text) != idLen || strings.ToLower(text) != text || seen[text] {
			t.Fatalf("id %d is %q", i, text)
		}
		seen[text] = true
		for _, b := range parseIDs([]string{text}) {
			if n, ok := id.indexOf(b[0]); !ok || n != i {
				t.Fatalf("id %s is of index %d, %v, want %d", text, n, ok, i)
			}
		}
	}
	if _, ok := id.indexOf(identity{0: 0xac}); ok {
		t.Error("another identity's id has an index")
	}
}

func TestParseIDsLeavesOutWhatIsNone(t *testing.T) {
	t.Parallel()
	real := strings.Repeat("0a", 16)
	got := parseIDs([]string{"", "x", real[1:], real + "0", strings.ToUpper(real), strings.Repeat("zz", 16), real, real})
	if n := len(got); n != 1 {
		t.Errorf("%d ids, want one", n)
	}
}

func TestLeaseSurvives(t *testing.T) {
	t.Parallel()
	for _, base := range []int64{parts, 5 * parts, math.MaxInt64 &^ (parts - 1)} {
		for _, pos := range []int{0, 1, maxLeased - 1} {
			text := appendLease(nil, base, pos)
			b, p, ok := parseLease(adapter.Lease(text))
			if len(text) != leaseLen || b != base || p != pos || !ok {
				t.Errorf("lease %s is %d, %d, %v, want %d, %d", text, b, p, ok, base, pos)
			}
		}
	}
	for _, bad := range [][]byte{appendLease(nil, 0, 0), appendLease(nil, parts+1, 0), appendLease(nil, -parts, 0), appendLease(nil, parts, maxLeased)} {
		if b, p, ok := parseLease(adapter.Lease(bad)); ok {
			t.Errorf("lease %s is taken for %d, %d", bad, b, p)
		}
	}
}

func TestChunkSurvives(t *testing.T) {
	t.Parallel()
	msgs := []message{{adapter.JSON, []byte("null")}, {adapter.Text, nil}, {adapter.Bytes, []byte{0, 255}}, {adapter.Text, bytes.Repeat([]byte("x"), 70000)}}
	data := appendChunk(nil, msgs)
	c, err := parseChunk(data)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range msgs {
		b := c.body(i)
		if c.types[i] != m.typ || !bytes.Equal(b, m.body) || cap(b) != len(b) {
			t.Errorf("message %d is %v, %d bytes with room for %d", i, c.types[i], len(b), cap(b))
		}
	}
	if got := c.size(1, 4); got != 70002 {
		t.Errorf("size %d", got)
	}
	for _, n := range []int{0, 1, 2, 5, 6, len(data) - 1} {
		if _, err := parseChunk(data[:n]); err == nil {
			t.Errorf("the first %d bytes are taken for a chunk", n)
		}
	}
	if _, err := parseChunk(append(data, 0)); !errors.Is(err, errDamaged) {
		t.Errorf("with a byte too many: error %v", err)
	}
	data[0]++
	if _, err := parseChunk(data); !errors.Is(err, errNewer) {
		t.Errorf("another format: error %v", err)
	}
}

func TestChunkCache(t *testing.T) {
	t.Parallel()
	var c chunkCache
	chunkOf := func(n int) *chunk { return &chunk{data: make([]byte, n)} }
	for key := range int64(1000) {
		c.put(key, chunkOf(100_000))
		if c.get(key) == nil {
			t.Fatalf("chunk %d is not there at once", key)
		}
		if c.get(0) == nil {
			t.Fatalf("a chunk in use was forgotten after %d others", key)
		}
		total := 0
		for _, m := range []map[int64]*chunk{c.young, c.old} {
			for _, k := range m {
				total += len(k.data)
			}
		}
		if total > 2*maxCache {
			t.Fatalf("the cache has %d bytes", total)
		}
	}
	if c.get(1) != nil {
		t.Error("a chunk not in use was kept")
	}
	c.drop(0)
	if c.get(0) != nil {
		t.Error("a dropped chunk is there")
	}
	c.put(5000, chunkOf(3*maxCache))
	c.put(5001, chunkOf(10))
	if c.bytes > maxCache {
		t.Errorf("the young generation has %d bytes", c.bytes)
	}
}

func FuzzRecord(f *testing.F) {
	for _, r := range records {
		f.Add(r.append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := parseRecord(b)
		if err != nil {
			return
		}
		again, err := parseRecord(r.append(nil))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(r, again, cmp.AllowUnexported(record{})); d != "" {
			t.Error(d)
		}
	})
}

func FuzzHeld(f *testing.F) {
	var hs []held
	for _, r := range records {
		if r.len() <= 100 {
			hs = append(hs, held{len(hs), 7, r})
		}
	}
	f.Add(appendHeld(nil, hs))
	f.Fuzz(func(t *testing.T, b []byte) {
		hs, err := parseHeld(b)
		if err != nil {
			return
		}
		for i := range hs {
			if hs[i].pos < 0 || hs[i].pos+hs[i].len() > maxLeased {
				t.Errorf("places %d and %d more", hs[i].pos, hs[i].len())
			}
		}
		if again, err := parseHeld(appendHeld(nil, hs)); err != nil || len(again) != len(hs) {
			t.Errorf("%d records, error %v, want %d", len(again), err, len(hs))
		}
	})
}

func FuzzChunk(f *testing.F) {
	f.Add(appendChunk(nil, []message{{adapter.Text, []byte("a")}, {adapter.JSON, []byte("[]")}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := parseChunk(b)
		if err != nil {
			return
		}
		var msgs []message
		for i := range c.types {
			msgs = append(msgs, message{c.types[i], c.body(i)})
		}
		again, err := parseChunk(appendChunk(nil, msgs))
		if err != nil || !bytes.Equal(again.data, c.data) || !cmp.Equal(again.types, c.types) {
			t.Errorf("error %v, or the chunk is another", err)
		}
	})
}
