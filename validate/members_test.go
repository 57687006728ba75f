package validate

import (
	"fmt"
	"strings"
	"testing"
)

// Looking names up costs the same for each of them, however many there are and
// whatever they look like: counted in the steps from the slot that is a name's
// home to the one it is found in, and in the slots that tables need.
func TestLookupIsConstant(t *testing.T) {
	t.Parallel()
	families := map[string]func(int) string{
		"short":         func(i int) string { return fmt.Sprintf("%x", i) },
		"indexes":       func(i int) string { return fmt.Sprint(i) },
		"one letter":    func(i int) string { return strings.Repeat("a", i%3000) + fmt.Sprint(i/3000) },
		"same start":    func(i int) string { return fmt.Sprintf("a very long name that only differs at its end %d", i) },
		"same end":      func(i int) string { return fmt.Sprintf("%d a very long name that only differs at its start", i) },
		"high bits":     func(i int) string { return fmt.Sprintf("%c%c", 0x4E00+i%4096, 0x4E00+i/4096) },
		"powers of two": func(i int) string { return fmt.Sprint(uint64(i) << 32) },
	}
	for name, family := range families {
		for _, n := range []int{few, few + 1, 500, 5_000} {
			t.Run(fmt.Sprint(name, " ", n), func(t *testing.T) {
				t.Parallel()
				var text strings.Builder
				for i := range 2 * n { // each name twice
					fmt.Fprintf(&text, "%q:", family(i%n))
				}
				s := &scanner{hash: newHasher()}
				s.start(nil, []byte(text.String()), 0)
				o := object{lastIndex: -1}
				for i := 0; i < s.src.size(); {
					if i = s.key(&o, i); i < 0 {
						t.Fatal(s.err)
					}
				}
				distinct, steps := 0, 0
				for slot, j := range s.slots {
					if j != 0 {
						distinct++
						steps += (slot - s.hash.place(s.members[j-1].hash, len(s.slots)) + len(s.slots)) % len(s.slots)
					}
				}
				if distinct != n {
					t.Errorf("%d names in the table, want %d", distinct, n)
				}
				if steps > 2*n {
					t.Errorf("%d steps for %d names", steps, n)
				}
				if len(s.slots) > 16*n {
					t.Errorf("%d slots for %d names", len(s.slots), n)
				}
			})
		}
	}
}

// Names that collide in one scanner do not in another.
func TestHashIsSecret(t *testing.T) {
	t.Parallel()
	a, b := newHasher(), newHasher()
	for _, name := range []string{"", "a", "1234567", "12345678", "a name of many bytes"} {
		if a.of([]byte(name)) == b.of([]byte(name)) {
			t.Errorf("the hash of %q is known", name)
		}
	}
}

// The hash of a short name does not depend on how it is written.
func TestHashOfEscapedName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a", "ab", "1234567", "12345678", "é", "消"} {
		s := &scanner{hash: newHasher()}
		var escaped strings.Builder
		for _, r := range name {
			fmt.Fprintf(&escaped, `\u%04x`, r)
		}
		s.start(nil, []byte(`"`+name+`":"`+escaped.String()+`":`), 0)
		o := object{lastIndex: -1}
		s.key(&o, s.key(&o, 0))
		if s.members[0].hash != s.members[1].hash || s.members[0].value != 1 || s.members[1].value != dropped {
			t.Errorf("%q is not the name that its escapes make: %+v", name, s.members)
		}
	}
}

// A scanner that has grown beyond what messages need is not kept.
func TestPoolLetsGo(t *testing.T) {
	t.Parallel()
	s := &scanner{hash: newHasher()}
	s.start(nil, make([]byte, MaxBatchText), 0)
	if s.weight() >= heavy {
		t.Errorf("a batch weighs %d, too much to keep", s.weight())
	}
	s.start(nil, make([]byte, heavy), 0)
	if s.weight() < heavy {
		t.Errorf("%d bytes weigh %d, little enough to keep", heavy, s.weight())
	}
}
