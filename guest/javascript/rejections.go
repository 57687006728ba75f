package javascript

import (
	"context"

	"github.com/tetratelabs/wazero/api"
)

// rejections are the promises that were rejected and that nobody handles yet, by
// the promise's address.
type rejections struct {
	open map[uint32]rejection
	last int
}

// rejection is what the interpreter said: pointers to the promise and the reason.
type rejection struct {
	promise, reason uint32
	order           int
}

// hostPromiseRejection hears of a promise that is rejected while nobody handles
// it, and of one that is handled after all.
//
// # Parameters
//
//   - promise, reason: pointers to values, ours from now on
//   - handled: 0, or 1 the second time
func hostPromiseRejection(ctx context.Context, _ api.Module, stack []uint64) {
	v := ctx.Value(vmKey{}).(*vm)
	r := rejection{promise: uint32(stack[0]), reason: uint32(stack[1])}
	address := value(v.read64(r.promise)).pointer()
	if uint32(stack[2]) == 0 {
		v.rejected.add(address, r)
	} else {
		if before, ok := v.rejected.open[address]; ok {
			delete(v.rejected.open, address)
			v.drop(before)
		}
		v.drop(r)
	}
	if v.err != nil {
		panic(v.err)
	}
}

func (r *rejections) add(address uint32, new rejection) {
	if r.open == nil {
		r.open = map[uint32]rejection{}
	}
	r.last++
	new.order = r.last
	r.open[address] = new
}

// drop frees what hostPromiseRejection was given.
func (v *vm) drop(r rejection) {
	for _, ptr := range []uint32{r.promise, r.reason} {
		v.do(jsFreeValue, uint64(v.context), v.read64(ptr))
		v.free(ptr)
	}
}

// unhandled is the reason of the first promise that nobody handles.
func (v *vm) unhandled() (reason value, ok bool) {
	var first rejection
	for _, r := range v.rejected.open {
		if !ok || r.order < first.order {
			first, ok = r, true
		}
	}
	if !ok {
		return undefined, false
	}
	return value(v.read64(first.reason)), true
}
