//! The binding a Rust guest uses: the host functions with Rust types, and their exceptions as errors. Copy it.
//!
//!     wazqueue::send("PAGE_QUEUE", body, 30)?;                            // the caller's business; at last the event fails
//!     if let Err(e) = wazqueue::send("PAGE_QUEUE", body, 30) { say(&e) }  // or handle it here
//!
//! An abort (a binding that is not permitted, for one) is no exception: it ends the event and the call does not return.
#![allow(dead_code)] // whoever copies this need not call all of it

use std::{error, fmt};

/// What the host threw: a fixed text, in Chinese. An event whose entry returns it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception(pub String);

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for Exception {}

pub type Result<T> = std::result::Result<T, Exception>;

/// Exports a function that returns a `Result<(), impl Display>` as the entry of that name. Its error goes to stderr and fails the event.
#[macro_export]
macro_rules! entry {
    ($name:literal, $function:path) => {
        const _: () = {
            #[export_name = $name]
            extern "C" fn entry() -> i32 {
                match $function() {
                    Ok(()) => 0,
                    Err(e) => {
                        // Not eprintln: it panics when the host takes no more output.
                        let _ = ::std::io::Write::write_fmt(&mut ::std::io::stderr(), format_args!("{}\n", e));
                        1
                    }
                }
            }
        };
    };
}

/// Sends one message, any JSON value; it is delivered after `delay` seconds, 0 to 43200.
pub fn send(binding: &str, body: &[u8], delay: i64) -> Result<()> {
    check(unsafe { host_send(binding.as_ptr(), binding.len(), body.as_ptr(), body.len(), delay) })
}

/// Sends up to 100 messages, all or none: a JSON array of `{"body":…,"delaySeconds":…}`, the delay optional.
pub fn send_batch(binding: &str, messages: &[u8]) -> Result<()> {
    check(unsafe { host_send_batch(binding.as_ptr(), binding.len(), messages.as_ptr(), messages.len()) })
}

/// `{"queue":"…","messages":[{"id":"…","attempts":1,"timestamp":1700000000000,"body":…},…]}`; a message's place is its index.
pub fn read_batch() -> Result<String> {
    read(host_read_batch).map(text)
}

/// The message is done, whatever becomes of the event.
pub fn ack(index: usize) -> Result<()> {
    check(unsafe { host_ack(index as i64) })
}

/// The message comes again after `delay` seconds, 0 meaning the queue's own retry delay.
pub fn retry(index: usize, delay: i64) -> Result<()> {
    check(unsafe { host_retry(index as i64, delay) })
}

/// "queue", "fetch" or an embedder's own.
pub fn event_kind() -> Result<String> {
    read(host_event_kind).map(text)
}

/// `{"method":"…","url":"…","headers":[["name","value"],…]}`; the URL is absolute, header names are lower case.
pub fn read_request() -> Result<String> {
    read(host_read_request).map(text)
}

pub fn read_body() -> Result<Vec<u8>> {
    read(host_read_body)
}

/// Gives the answer, once; headers are a JSON array `[["name","value"],…]`. It is sent when the event has ended well.
pub fn respond(status: i32, headers: &str, body: &[u8]) -> Result<()> {
    check(unsafe { host_respond(status, headers.as_ptr(), headers.len(), body.as_ptr(), body.len()) })
}

// A status as a Result.
fn check(status: i32) -> Result<()> {
    match status {
        0 => Ok(()),
        _ => Err(exception()),
    }
}

fn exception() -> Exception {
    Exception(text(fill(host_exception).unwrap_or_default()))
}

fn read(host: Fill) -> Result<Vec<u8>> {
    fill(host).ok_or_else(exception)
}

// The host's texts are UTF-8.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_default()
}

// Calls a function that writes into the caller's buffer: once with a buffer that is mostly large enough, again when the value turns out
// longer. None: an exception.
fn fill(host: Fill) -> Option<Vec<u8>> {
    let mut value = vec![0; 1024];
    loop {
        let n = usize::try_from(unsafe { host(value.as_mut_ptr(), value.len()) }).ok()?;
        let fits = n <= value.len();
        value.resize(n, 0);
        if fits {
            return Some(value);
        }
    }
}

type Fill = unsafe extern "C" fn(*mut u8, usize) -> i32;

// The host functions under their own names. Each has an ASCII name too, in the module "wazqueue", with the same parameters.

#[link(wasm_import_module = "消息队列")]
extern "C" {
    #[link_name = "发送队列消息"]
    fn host_send(binding: *const u8, bn: usize, body: *const u8, n: usize, delay: i64) -> i32;
    #[link_name = "批量发送队列消息"]
    fn host_send_batch(binding: *const u8, bn: usize, messages: *const u8, n: usize) -> i32;
    #[link_name = "读取队列批次"]
    fn host_read_batch(buf: *mut u8, limit: usize) -> i32;
    #[link_name = "确认队列消息"]
    fn host_ack(index: i64) -> i32;
    #[link_name = "重试队列消息"]
    fn host_retry(index: i64, delay: i64) -> i32;
}

#[link(wasm_import_module = "网页入站")]
extern "C" {
    #[link_name = "读取入站事件种类"]
    fn host_event_kind(buf: *mut u8, limit: usize) -> i32;
    #[link_name = "读取入站请求"]
    fn host_read_request(buf: *mut u8, limit: usize) -> i32;
    #[link_name = "读取入站正文"]
    fn host_read_body(buf: *mut u8, limit: usize) -> i32;
    #[link_name = "答复入站请求"]
    fn host_respond(status: i32, headers: *const u8, hn: usize, body: *const u8, n: usize) -> i32;
}

#[link(wasm_import_module = "豫言异常")]
extern "C" {
    #[link_name = "读取异常消息"]
    fn host_exception(buf: *mut u8, limit: usize) -> i32;
}
