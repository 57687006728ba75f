// Calls every function of wasi_snapshot_preview1 once, file functions with descriptor 3 (which nobody opened) and everything else with
// harmless arguments, and answers the fetch event with one line each: "NAME ERRNO". proc_exit comes last and only if there is a body.
#include "script.h"
#include "ops.h"

#define W(name, types, ...)                                                                              \
  do {                                                                                                   \
    __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name))) extern u32 w_##name types; \
    puts_(#name " "), put_u64(w_##name(__VA_ARGS__)), put_line();                                        \
  } while (0)

__attribute__((export_name("fetch"))) void fetch(void) {
  memset(scratch, 'x', sizeof scratch);
  u32 p = AT(scratch), q = p + 256, fd = 3;
  W(args_sizes_get, (u32, u32), p, q);
  W(args_get, (u32, u32), p, q);
  W(environ_sizes_get, (u32, u32), p, q);
  W(environ_get, (u32, u32), p, q);
  W(clock_res_get, (u32, u32), 0, p);
  W(clock_time_get, (u32, i64, u32), 0, 1, p);
  W(random_get, (u32, u32), p, 8);
  W(sched_yield, (void));
  W(fd_advise, (u32, i64, i64, u32), fd, 0, 0, 0);
  W(fd_allocate, (u32, i64, i64), fd, 0, 1);
  W(fd_close, (u32), fd);
  W(fd_datasync, (u32), fd);
  W(fd_fdstat_get, (u32, u32), fd, p);
  W(fd_fdstat_set_flags, (u32, u32), fd, 0);
  W(fd_fdstat_set_rights, (u32, i64, i64), fd, 0, 0);
  W(fd_filestat_get, (u32, u32), fd, p);
  W(fd_filestat_set_size, (u32, i64), fd, 0);
  W(fd_filestat_set_times, (u32, i64, i64, u32), fd, 0, 0, 0);
  W(fd_pread, (u32, u32, u32, i64, u32), fd, p, 0, 0, q);
  W(fd_prestat_get, (u32, u32), fd, p);
  W(fd_prestat_dir_name, (u32, u32, u32), fd, p, 8);
  W(fd_pwrite, (u32, u32, u32, i64, u32), fd, p, 0, 0, q);
  W(fd_read, (u32, u32, u32, u32), fd, p, 0, q);
  W(fd_readdir, (u32, u32, u32, i64, u32), fd, p, 64, 0, q);
  W(fd_renumber, (u32, u32), fd, 4);
  W(fd_seek, (u32, i64, u32, u32), fd, 0, 0, p);
  W(fd_sync, (u32), fd);
  W(fd_tell, (u32, u32), fd, p);
  W(fd_write, (u32, u32, u32, u32), fd, p, 0, q);
  W(path_create_directory, (u32, u32, u32), fd, p, 1);
  W(path_filestat_get, (u32, u32, u32, u32, u32), fd, 0, p, 1, q);
  W(path_filestat_set_times, (u32, u32, u32, u32, i64, i64, u32), fd, 0, p, 1, 0, 0, 0);
  W(path_link, (u32, u32, u32, u32, u32, u32, u32), fd, 0, p, 1, fd, p, 1);
  W(path_open, (u32, u32, u32, u32, u32, i64, i64, u32, u32), fd, 0, p, 1, 0, 0, 0, 0, q);
  W(path_readlink, (u32, u32, u32, u32, u32, u32), fd, p, 1, q, 8, q + 8);
  W(path_remove_directory, (u32, u32, u32), fd, p, 1);
  W(path_rename, (u32, u32, u32, u32, u32, u32), fd, p, 1, fd, p, 1);
  W(path_symlink, (u32, u32, u32, u32, u32), p, 1, fd, p, 1);
  W(path_unlink_file, (u32, u32, u32), fd, p, 1);
  memset(scratch, 0, sizeof scratch); // one clock subscription, due at once
  W(poll_oneoff, (u32, u32, u32, u32), p, q, 1, q + 64);
  W(proc_raise, (u32), 0);
  W(sock_accept, (u32, u32, u32), fd, 0, p);
  W(sock_recv, (u32, u32, u32, u32, u32, u32), fd, p, 0, 0, q, q + 8);
  W(sock_send, (u32, u32, u32, u32, u32), fd, p, 0, 0, q);
  W(sock_shutdown, (u32, u32), fd, 0);
  zh_respond(200, AT("[]"), 2, AT(out.p), out.n);
  if (zh_body(0, 0) > 0) __wasi_proc_exit(0);
}
