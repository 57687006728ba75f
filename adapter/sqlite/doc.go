// Package sqlite keeps queues in one SQLite file: the embedded, durable engine
// that needs no server. Any number of processes on one machine can work on
// the file at once. The package imports adapter and nothing else of this
// project.
//
// # What survives
//
// A Send, Settle, Extend or Receive that has returned is committed: one that
// failed did nothing, and no call is ever done in part.
//
//	                    a process dies       the power fails
//	synchronous=full    nothing is lost      nothing is lost
//	synchronous=normal  nothing is lost      what was committed since the log was last
//	                                         synced, mostly the last second or two, may be
//	                                         undone; what is left is whole and in order
//
// Undone means as if it had not been called: a message may be missing that
// was sent, or be delivered again that was acked. The attempts of a delivery
// are committed before it is returned, so a message that kills its workers
// runs out of attempts all the same. These promises are the disk's too: one
// that reports data as written which is in its cache keeps neither.
//
// Network file systems do not lock as SQLite needs it, and a write-ahead log
// cannot be shared between machines. Keep the file on a local disk.
//
// # Size and speed
//
// A message takes its body and 6 to 15 bytes when it was sent with others,
// about 95 when it was sent alone. Space that messages leave is used
// again, but the file does not shrink; VACUUM with the sqlite3 command makes
// it small while no process has it open. Beside it are a log, queues.db-wal,
// of usually 4 MB and at most some 64 MB, and a shared index, queues.db-shm.
// All three belong together: copy a store with VACUUM INTO or the backup
// command of sqlite3, not with cp while it is open. Leave room on the disk:
// when it is full, Send and Settle fail and say so, nothing is damaged, and
// all goes on once there is room.
//
// Calls that run at the same time share transactions, and so share the waits
// for the disk. Sending by the hundred is worth more than anything else: the
// hundred are one record until something makes them differ.
//
// An adapter takes up to 30 MB: pages in memory, and chunks of messages that
// are received one by one. Each of several processes on one file has to wait
// for the others' transactions, so one process with many callers does more
// than many processes. While a Receive waits, sends of its own process are
// noticed at once; for commits of other processes the adapter looks every
// 15 ms, and every 50 ms when nothing has come for five seconds.
//
// Due times, leases and retention are in wall-clock time. Processes on a file
// share the machine's clock; setting it back makes what was sent wait until
// it has caught up.
package sqlite
