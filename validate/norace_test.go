//go:build !race

package validate_test

const raced = false
