package hostfn

import (
	"strings"
	"unicode/utf8"

	"github.com/wazqueue/wazqueue/bridge"
)

// binding looks up the binding a guest named. An empty name throws; one
// that is not permitted, invalid UTF-8 among them, or not configured aborts.
func (ev *Event) binding(name []byte) (Binding, error) {
	if len(name) == 0 {
		return Binding{}, errEmptyBinding
	}
	to, permitted := ev.Grants[string(name)]
	if !permitted || !utf8.Valid(name) {
		return Binding{}, bridge.Abort("未授权的QUEUE绑定：" + shown(name))
	}
	if to.Sender == nil {
		return Binding{}, bridge.Abort("绑定不存在：" + string(name))
	}
	return to, nil
}

// shown is a name as the log may have it: it is the guest's, of any length and
// content.
func shown(name []byte) string {
	const most = 256
	if len(name) > most {
		return strings.ToValidUTF8(string(name[:most]), "\uFFFD") + "…"
	}
	return strings.ToValidUTF8(string(name), "\uFFFD")
}
