//! The page-render service as a guest in Rust: it takes jobs over HTTP, puts them into a queue, and handles them when the queue hands
//! them back.
use std::io::{self, Write as _};
use std::num::IntErrorKind::{NegOverflow, PosOverflow};

mod json;
#[macro_use]
mod wazqueue;

use json::{elements, member, quote, text};
use wazqueue::Result;

const BINDING: &str = "PAGE_QUEUE";
const VERSION: &str = "v8";
const HELP: &str = "page-render: POST /render {\"kind\":\"page\",\"url\":\"/x\",\"version\":\"v8\"}, POST /render/batch [{\"body\":{}}]\n";

// The entries have Chinese names here; queue and fetch mean the same.
entry!("处理队列批次", handle_batch);
entry!("处理入站网页请求", handle_request);

// --- the queue event -----------------------------------------------------------------------------------------------------------------

/// The work: a pure function, since a message may come twice.
fn render(url: &str) -> std::result::Result<String, &'static str> {
    if !url.starts_with('/') || url.starts_with("/fail") {
        return Err("no such page");
    }
    Ok(format!("<!doctype html><title>{}</title>", url))
}

/// The delay after a failed attempt: 30 s, 60 s, 120 s, then 240 s.
fn backoff(attempts: i64) -> i64 {
    (15 << attempts.min(4)).min(300)
}

fn handle(index: usize, message: &str) -> Result<()> {
    let attempts = member(message, "attempts").parse().unwrap_or(1);
    let job = member(message, "body");
    let url = text(member(job, "url"));
    let did = if text(member(job, "version")) != VERSION {
        wazqueue::ack(index)?;
        "skipped" // another version's
    } else if url.starts_with("/pass") {
        "passed" // no mark: done if the event ends well
    } else if render(url).is_ok() {
        wazqueue::ack(index)?;
        "rendered"
    } else {
        wazqueue::retry(index, backoff(attempts))?;
        "retried"
    };
    // Not println: it panics when the host takes no more output.
    let _ = writeln!(io::stdout(), "{} {} attempts {}", did, text(member(message, "id")), attempts);
    Ok(())
}

fn handle_batch() -> Result<()> {
    let batch = wazqueue::read_batch()?;
    elements(member(&batch, "messages")).enumerate().try_for_each(|(i, message)| handle(i, message))
}

// --- the fetch event -----------------------------------------------------------------------------------------------------------------

fn answer(status: i32, body: &str) -> Result<()> {
    wazqueue::respond(status, r#"[["content-type","application/json"]]"#, body.as_bytes())
}

fn failure(status: i32, error: &str) -> Result<()> {
    answer(status, &format!("{{\"error\":{}}}", quote(error)))
}

fn queued(sent: Result<()>) -> Result<()> {
    match sent {
        Ok(()) => answer(202, r#"{"queued":true}"#),
        Err(e) => failure(400, &e.to_string()),
    }
}

/// An integer, nothing being 0. One too long saturates: the host will say that it is out of range.
fn whole_number(s: &str) -> Option<i64> {
    match s.parse() {
        _ if s.is_empty() => Some(0),
        _ if s.starts_with('+') => None,
        Ok(n) => Some(n),
        Err(e) if *e.kind() == PosOverflow => Some(i64::MAX),
        Err(e) if *e.kind() == NegOverflow => Some(i64::MIN),
        Err(_) => None,
    }
}

fn handle_request() -> Result<()> {
    let request = wazqueue::read_request()?;
    let body = wazqueue::read_body()?;
    let url = text(member(&request, "url")).split('#').next().unwrap_or("");
    let (url, query) = url.split_once('?').unwrap_or((url, ""));
    let path = url.splitn(4, '/').nth(3).unwrap_or(""); // scheme: / / host / path

    match (text(member(&request, "method")), path) {
        ("GET", "") => wazqueue::respond(200, r#"[["content-type","text/plain; charset=utf-8"]]"#, HELP.as_bytes()),
        ("POST", "render") => {
            let delay = query.split('&').find_map(|pair| pair.strip_prefix("delay=")).unwrap_or("");
            match whole_number(delay) {
                Some(delay) => queued(wazqueue::send(BINDING, &body, delay)),
                None => failure(400, "delay is not a whole number"),
            }
        }
        ("POST", "render/batch") => queued(wazqueue::send_batch(BINDING, &body)),
        _ => failure(404, "not found"),
    }
}
