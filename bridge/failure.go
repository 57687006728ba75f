package bridge

// Exception is a failure that the guest can catch. Its text is fixed and meant
// for the guest's own error values.
type Exception string

func (e Exception) Error() string { return string(e) }

// Abort is a failure that ends the event at once: the call traps and the guest
// cannot catch it. A host function panics with it, and wazero
// returns it, wrapped, from the call into the guest.
type Abort string

func (a Abort) Error() string { return string(a) }

const (
	// ErrRange aborts for a pointer and length that leave guest memory.
	ErrRange = Abort("指针超出程序内存")
	// ErrTooDeep aborts for a value that leaves the host nested deeper than MaxDepth.
	ErrTooDeep = Abort("宿主结果嵌套过深")
	// ErrNoEvent aborts a host function that is called while no event runs.
	ErrNoEvent = Abort("初始化期间没有事件")
)
