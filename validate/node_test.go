package validate_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"os/exec"
	"testing"
)

// node is a Node process that answers requests by testdata/oracle.js.
type node struct {
	in  io.Writer
	out *bufio.Reader
}

// startNode skips the test where Node is missing.
func startNode(t testing.TB) *node {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: the oracle is missing")
	}
	cmd := exec.Command(path, "testdata/oracle.js")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("node: %v\n%s", err, stderr.Bytes())
		}
	})
	return &node{in, bufio.NewReader(out)}
}

// ask has all requests answered.
func (n *node) ask(requests [][]byte) ([]answer, error) {
	frames := binary.LittleEndian.AppendUint32(nil, uint32(len(requests)))
	for _, r := range requests {
		frames = binary.LittleEndian.AppendUint32(frames, uint32(len(r)))
		frames = append(frames, r...)
	}
	if _, err := n.in.Write(frames); err != nil {
		return nil, err
	}
	answers := make([]answer, len(requests))
	for i := range answers {
		var size [4]byte
		if _, err := io.ReadFull(n.out, size[:]); err != nil {
			return nil, err
		}
		frame := make([]byte, binary.LittleEndian.Uint32(size[:]))
		if _, err := io.ReadFull(n.out, frame); err != nil {
			return nil, err
		}
		name, result, _ := bytes.Cut(frame, []byte("\n"))
		answers[i] = answer{string(name), string(result)}
	}
	return answers, nil
}
