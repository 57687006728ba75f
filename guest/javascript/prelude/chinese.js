// The interface's own functions, under its own names: they take and return JSON
// as text, and throw.

globals({
  发送队列消息(绑定名, 消息体, 延迟秒数) {
    must(host.send(String(绑定名), bytes(消息体), seconds(延迟秒数)));
  },
  批量发送队列消息(绑定名, 消息) {
    must(host.send_batch(String(绑定名), bytes(消息)));
  },
  读取队列批次() {
    return mustHave(host.read_batch());
  },
  确认队列消息(序号) {
    must(host.ack(integer(序号)));
  },
  重试队列消息(序号, 延迟秒数) {
    must(host.retry(integer(序号), seconds(延迟秒数)));
  },
  读取入站事件种类() {
    return mustHave(host.event_kind());
  },
  读取入站请求() {
    return mustHave(host.read_request());
  },
  读取入站正文() {
    return mustHave(host.read_bytes());
  },
  答复入站请求(状态, 头, 正文) {
    must(host.respond(integer(状态), bytes(头), bytes(正文)));
  },
});
