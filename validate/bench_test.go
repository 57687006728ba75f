package validate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strconv"
	"testing"

	"github.com/bytedance/sonic"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/wazqueue/wazqueue/validate"
)

func BenchmarkBody(b *testing.B) {
	dst := make([]byte, 0, validate.MaxBody)
	eachSample(b, func(text []byte) error {
		_, err := validate.Body(dst, text)
		return err
	})
}

func BenchmarkBatch(b *testing.B) {
	for _, n := range []int{10, 100} {
		text := []byte(items(n, fmt.Sprintf(`{"body":%s,"delaySeconds":30}`, samples()["job"])))
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			measure(b, text, func(text []byte) error {
				_, err := validate.Batch(text)
				return err
			})
		})
	}
}

// BenchmarkPeers has what else could turn a text into a canonical one, though
// none but Node gets all of it right, on the bodies of BenchmarkBody.
func BenchmarkPeers(b *testing.B) {
	b.Run("sonic", func(b *testing.B) {
		eachSample(b, func(text []byte) error {
			var v any
			if err := sonic.ConfigStd.Unmarshal(text, &v); err != nil {
				return err
			}
			_, err := sonic.ConfigStd.Marshal(v)
			return err
		})
	})
	b.Run("encodingjson", func(b *testing.B) {
		eachSample(b, func(text []byte) error {
			var v any
			if err := json.Unmarshal(text, &v); err != nil {
				return err
			}
			_, err := json.Marshal(v)
			return err
		})
	})
	b.Run("jsontext", func(b *testing.B) {
		var v jsontext.Value
		eachSample(b, func(text []byte) error {
			v = append(v[:0], text...)
			return v.Canonicalize()
		})
	})
	b.Run("node", benchmarkNode)
}

// benchmarkNode reports the time of testdata/timing.js, without that of its
// start.
func benchmarkNode(b *testing.B) {
	path, err := exec.LookPath("node")
	if err != nil {
		b.Skip("node is not installed")
	}
	texts := samples()
	for _, s := range sizes {
		b.Run(s.sample, func(b *testing.B) {
			cmd := exec.Command(path, "testdata/timing.js", strconv.Itoa(b.N))
			cmd.Stdin = bytes.NewReader(texts[s.sample])
			out, err := cmd.Output()
			if err != nil {
				b.Fatal(err)
			}
			ns, err := strconv.ParseFloat(string(out), 64)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(ns, "ns/op")
		})
	}
}

func eachSample(b *testing.B, f func(text []byte) error) {
	texts := samples()
	for _, s := range sizes {
		b.Run(s.sample, func(b *testing.B) { measure(b, texts[s.sample], f) })
	}
}

func measure(b *testing.B, text []byte, f func(text []byte) error) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := f(text); err != nil {
			b.Fatal(err)
		}
	}
}
