package consumer

import (
	"errors"
	"log/slog"
	"strconv"
	"strings"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
)

// ids logs deliveries as id#attempts, put together only if someone listens.
type ids []adapter.Delivery

// LogValue returns the deliveries' ids and attempts.
func (ds ids) LogValue() slog.Value {
	var s strings.Builder
	for i, d := range ds {
		if i > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(d.ID + "#" + strconv.Itoa(d.Attempts))
	}
	return slog.StringValue(s.String())
}

// logEvent tells what a handler did that an operator or its author should know.
// cause is why the event was ended, nil where it ended by itself.
func (e *engine) logEvent(b *batch.Batch, err, cause error) {
	for _, c := range b.Conflicts() {
		e.Log.Warn("mark has no effect: the message's first one stands",
			"message", b.Deliveries()[c.Index].ID, "mark", c.Call.String(), "first", c.Stands.String())
	}
	if err == nil && cause == nil {
		return
	}
	attrs := []any{"messages", ids(b.Deliveries())}
	if err != nil {
		attrs = append(attrs, "reason", err.Error())
	}
	if cause != nil {
		attrs = append(attrs, "ended_because", cause.Error())
	}
	if p, ok := errors.AsType[*panicked](err); ok {
		attrs = append(attrs, "stack", string(p.stack))
	}
	e.Log.Error("event failed", attrs...)
}

// logEnds tells of messages that left the queue unhandled.
func (e *engine) logEnds(ds []adapter.Delivery, list []adapter.Settlement, ends []end) {
	for i, x := range ends {
		switch x {
		case moved:
			e.Log.Warn("message moved to the dead-letter queue", "message", ds[i].ID, "attempts", ds[i].Attempts, "to", list[i].To)
		case deleted:
			e.Log.Warn("message deleted, its attempts are used up", "message", ds[i].ID, "attempts", ds[i].Attempts)
		case lost:
			e.Log.Warn("message not settled, its lease is lost", "message", ds[i].ID, "attempts", ds[i].Attempts)
		case acked, retried, released, unsettled:
		}
	}
}
