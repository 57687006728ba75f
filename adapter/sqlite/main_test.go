//go:build unix

package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/wazqueue/wazqueue/adapter/sqlite"
)

// The test binary is also the processes that tests need besides themselves:
// childVar names one of children, its arguments are the program's.
const childVar = "WAZQUEUE_SQLITE_CHILD"

var children = map[string]func(args []string) error{
	"open":   childOpen,
	"crash":  childCrash,
	"hammer": childHammer,
	"limit":  childLimit,
	"order":  childOrder,
}

func TestMain(m *testing.M) {
	if child := children[os.Getenv(childVar)]; child != nil {
		if err := child(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child prepares a process of this binary.
func child(tb testing.TB, name string, args ...string) *exec.Cmd {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), childVar+"="+name)
	cmd.Stderr = os.Stderr
	return cmd
}

// childOpen opens a store and prints what that says.
func childOpen(args []string) error {
	a, err := sqlite.Open(context.Background(), args[0])
	if err != nil {
		fmt.Print(err)
		return nil
	}
	fmt.Print("open")
	return a.Close()
}
