//go:build !amd64 && !arm64

package validate_test

const native = false
