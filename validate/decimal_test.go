package validate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// isShortest may say yes only to what strconv would write, and is of use only
// if it nearly always does.
func TestIsShortest(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(rand.Uint64(), 0))
	asked, said := 0, 0
	for range 20_000 {
		f := sample(r)
		text := strconv.FormatFloat(f, 'f', -1, 64)
		long := len(text) == 18 && text[0] != '-' // 17 digits and a point
		if yes := holds(t, text); long {
			asked++
			said += yes
		}
		for last := byte('0'); last <= '9'; last++ {
			holds(t, text[:len(text)-1]+string(last))
			holds(t, text+string(last))
		}
		for n := range 20 {
			holds(t, strconv.FormatFloat(f, 'f', n, 64))
		}
		holds(t, fmt.Sprint(r.Uint64N(1e17)))
	}
	if said*100 < asked*95 {
		t.Errorf("yes to %d of %d numbers that are canonical", said, asked)
	}
}

// sample is a double whose decimal has 16 or 17 digits; every other one is close
// to where something changes.
func sample(r *rand.Rand) float64 {
	f := math.Exp2(float64(r.IntN(70) - 13))
	switch r.IntN(4) {
	case 0:
		f = math.Float64frombits(math.Float64bits(f) + r.Uint64N(8) - 4)
	case 1:
		f = math.Pow(10, float64(r.IntN(21)-4)) * (1 + float64(r.IntN(9)-4)*0x1p-52)
	default:
		f *= 1 + r.Float64()
	}
	if r.IntN(2) == 0 {
		return -f
	}
	return f
}

// holds checks isShortest for one number, and is 1 if it says yes.
func holds(t *testing.T, text string) int {
	s := source(nil).fill([]byte(text))
	if end := s.size(); !s.isShortest(0, end) {
		return 0
	}
	f, err := strconv.ParseFloat(text, 64)
	if want := string(appendNumber(nil, f)); err != nil || want != text {
		t.Fatalf("%s is not canonical: that is %s", text, want)
	}
	return 1
}

func TestIsShortestCases(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       bool
	}{
		{"16 digits", "0.1234567890123456", true},
		{"17 digits", "0.30000000000000004", true},
		{"negative", "-0.30000000000000004", true},
		{"an integer of 16 digits", "1234567890123456", true},
		{"an integer that ends in 0", "1234567890123450", true},
		{"2^53", "9007199254740992", true},
		{"2^53+1, between two doubles", "9007199254740993", false},
		{"an integer of 17 digits", "12345678901234568", true},
		{"a neighbour of it", "12345678901234567", false},
		{"a longer form", "0.30000000000000000", false},
		{"18 digits", "123456789012345678", false},
		{"20 digits that are few modulo 2^64", "18446744073709551616", false},
		{"20 digits and a point", "1844674407370955261.6", false},
		{"-0", "-0", false},
		{"a zero to strip", "1.2345678901234560", false},
		{"an exponent", "1.234567890123456e1", false},
		{"an integer's exponent", "1234567890123456e1", false},
		{"small", "0.00000012345678901", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := source(nil).fill([]byte(tt.text))
			if got := s.isShortest(0, s.size()); got != tt.want {
				t.Errorf("%s: %t", tt.text, got)
			}
		})
	}
}

func TestDecimal(t *testing.T) {
	t.Parallel()
	const digits = "9876543210123456789"
	for n := 1; n <= len(digits); n++ {
		s := source(nil).fill([]byte(digits[:n] + "9:/\xFF"))
		want, _ := strconv.ParseUint(digits[:n], 10, 64)
		if got := s.decimal(0, n); got != want {
			t.Errorf("%s is %d", digits[:n], got)
		}
	}
}

// digits stops at each byte that is no digit, at each place of a word.
func TestDigits(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		if isDigit(byte(c)) {
			continue
		}
		for n := range 20 {
			text := []byte("01234567890123456789999999999")
			text[n] = byte(c)
			if got := source(nil).fill(text).digits(0); got != n {
				t.Errorf("%q: stopped at %d, want %d", text, got, n)
			}
		}
	}
}

// stops marks each byte that is to stop at, and none below it.
func TestStops(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		for n := range 8 {
			text := []byte("\x80 !#[]\xFF\xA0")
			text[n] = byte(c)
			want := 8
			if c < ' ' || c == '"' || c == '\\' {
				want = n
			}
			if got := first(stops(source(nil).fill(text).word(0))); got != want {
				t.Errorf("%q: stopped at %d, want %d", text, got, want)
			}
		}
	}
}
