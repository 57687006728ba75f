package memory

import (
	"strings"
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
)

func TestLeaseRoundTrip(t *testing.T) {
	t.Parallel()
	keys := []uint64{1, 63, 64, 1<<52 - 1, 1 << 52, 1 << 60, 1<<63 + 1, 0xfedcba9876543210, ^uint64(0)}
	for range 1000 {
		keys = append(keys, newKey())
	}
	for _, key := range keys {
		for _, i := range []int{0, 1, 63, 64, chunk - 1} {
			var b [leaseLen]byte
			putLease(b[:], key, i)
			gotKey, gotI, ok := parseLease(adapter.Lease(b[:]))
			if !ok || gotKey != key || gotI != i {
				t.Errorf("lease %s of %x, %d reads as %x, %d, %v", b, key, i, gotKey, gotI, ok)
			}
		}
	}
}

// FuzzLease: whatever parses is the one text of its lease, so no two texts
// name the same delivery.
func FuzzLease(f *testing.F) {
	for _, s := range []string{"", "AAAAAAAAAAAA", "AAAAAAAAAAAB", "____________", "-_-_-_-_-_-_", "AAAAAAAAAAA\xff", "队列队列", strings.Repeat("A", 13)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key, i, ok := parseLease(adapter.Lease(s))
		if !ok {
			return
		}
		var b [leaseLen]byte
		putLease(b[:], key, i)
		if string(b[:]) != s {
			t.Errorf("%q parses as %x, %d, whose lease is %q", s, key, i, b)
		}
	})
}

// FuzzID: the same of ids.
func FuzzID(f *testing.F) {
	a := Open()
	var b [idLen]byte
	a.putID(b[:], 0xfedcba)
	f.Add(string(b[:]))
	f.Add(strings.ToUpper(string(b[:])))
	f.Add(strings.Repeat("0", idLen))
	f.Add(string(b[:31]))
	f.Fuzz(func(t *testing.T, s string) {
		n, ok := a.number(s)
		if !ok {
			return
		}
		var again [idLen]byte
		if a.putID(again[:], n); string(again[:]) != s {
			t.Errorf("%q is read as %x, whose id is %q", s, n, again)
		}
	})
}
