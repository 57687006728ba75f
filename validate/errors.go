package validate

import "errors"

// What Canonical finds.
var (
	// ErrSyntax says that a text is not JSON, or not UTF-8. A byte order mark
	// is a syntax error.
	ErrSyntax = errors.New("not valid JSON")
	// ErrToken says that an object has one of the names $句柄, $未定义, $大整数
	// and $数字, however it is escaped, or that a number overflows
	//
	ErrToken = errors.New("host token or infinite number")
	// ErrDepth says that an array or object opens below the deepest level.
	ErrDepth = errors.New("nested too deep")
)

// What Body finds; the texts are those a guest sees.
var (
	// ErrBodyTooLarge: text or canonical form over MaxBody.
	ErrBodyTooLarge = errors.New("消息体超过 128000 字节")
	// ErrBodySyntax is ErrSyntax of a body.
	ErrBodySyntax = errors.New("消息体不是有效的 JSON 文字")
	// ErrBodyToken is ErrToken of a body.
	ErrBodyToken = errors.New("消息体含有不属于 JSON 的值或宿主专用记号")
	// ErrBodyDepth is ErrDepth of a body: more than MaxDepth levels.
	ErrBodyDepth = errors.New("消息体嵌套超过 24 层")
)

// What Batch finds; the texts are those a guest sees.
var (
	// ErrBatchTooLarge: text over MaxBatchText.
	ErrBatchTooLarge = errors.New("批量消息文字超过 1 MiB")
	// ErrBatchSyntax is ErrSyntax, in a body or outside.
	ErrBatchSyntax = errors.New("批量消息不是有效的 JSON 文字")
	// ErrBatchToken is ErrToken, of a body or of an item's own name.
	ErrBatchToken = errors.New("批量消息含有不属于 JSON 的值或宿主专用记号")
	// ErrBatchDepth is ErrDepth of a body, its levels counted from itself.
	ErrBatchDepth = errors.New("批量消息嵌套超过 24 层")
	// ErrBatchBodyTooLarge: one canonical body over MaxBody.
	ErrBatchBodyTooLarge = errors.New("批量消息体超过 128000 字节")
	// ErrBatchBodiesTooLarge: all canonical bodies over MaxBatchBodies.
	ErrBatchBodiesTooLarge = errors.New("批量消息体合计超过 256000 字节")
	// ErrBatchNotArray: a JSON value, but no array.
	ErrBatchNotArray = errors.New("批量消息须为 JSON 数组")
	// ErrBatchEmpty: no items.
	ErrBatchEmpty = errors.New("批量消息不得为空")
	// ErrBatchTooLong: more than MaxBatch items.
	ErrBatchTooLong = errors.New("批量消息不得超过 100 条")
	// ErrItemNotObject: an item is a JSON value, but no object.
	ErrItemNotObject = errors.New("批量消息的每一项须为 JSON 对象")
	// ErrItemNoBody: an item has no body.
	ErrItemNoBody = errors.New("批量消息项缺少 body")
	// ErrItemField: an item has a name other than body and delaySeconds.
	ErrItemField = errors.New("批量消息项只允许 body 与 delaySeconds 两个字段")
	// ErrItemDelay: an item's delaySeconds is no integer from 0 to 43200.
	ErrItemDelay = errors.New("批量消息项的 delaySeconds 须为 0 至 43200 的整数")
)

// bodyError is what a scanner found in the words of a body's errors.
func bodyError(err error) error {
	switch err {
	case ErrToken:
		return ErrBodyToken
	case ErrDepth:
		return ErrBodyDepth
	}
	return ErrBodySyntax
}

// batchError is what a scanner found in the words of a batch's errors; those
// that only a batch has stay as they are.
func batchError(err error) error {
	switch err {
	case ErrSyntax:
		return ErrBatchSyntax
	case ErrToken:
		return ErrBatchToken
	case ErrDepth:
		return ErrBatchDepth
	}
	return err
}
