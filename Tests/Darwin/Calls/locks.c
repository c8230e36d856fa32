// Locks of files, and changes to directories.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void check_whole(int directory) {
    int first = make_file(directory, "file", "0123456789");
    int second = cfs_open_at(directory, "file", CFS_READ, 0);
    EQUAL(cfs_lock(first, true), 0);
    EQUAL(cfs_lock(second, false), -EWOULDBLOCK);
    cfs_status status;
    EQUAL(cfs_status_at(first, "", &status), 0);
    const int holder = cfs_lock_holder(status.device, status.inode, cfs_process_id());
    CHECK(holder == 0 || holder == cfs_process_id());
    EQUAL(cfs_unlock(first), 0);
    EQUAL(cfs_lock(second, false), 0);
    EQUAL(cfs_close(second), 0);
    EQUAL(cfs_lock(first, true), 0);
    EQUAL(cfs_close(first), 0);
    EQUAL(cfs_lock(directory, true), 0);
    EQUAL(cfs_unlock(directory), 0);
}

/// Starts a process that holds the lock of another program on a byte, until its input ends.
static pid_t hold_byte(int directory, off_t byte, int *input) {
    int wait[2], ready[2];
    char text;
    if (pipe(wait) != 0 || pipe(ready) != 0) exit(1);
    pid_t process = fork();
    if (process == 0) {
        close(wait[1]);
        int file = cfs_open_at(directory, "file", CFS_READ | CFS_WRITE, 0);
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
        if (fcntl(file, F_SETLK, &lock) != 0) _exit(1);
        if (write(ready[1], "r", 1) != 1) _exit(1);
        (void)!read(wait[0], &text, 1);
        _exit(0);
    }
    close(wait[0]);
    close(ready[1]);
    CHECK(read(ready[0], &text, 1) == 1);
    close(ready[0]);
    *input = wait[1];
    return process;
}

static void check_bytes(int directory) {
    const uint64_t start = 1 << 30;
    int file = cfs_open_at(directory, "file", CFS_READ | CFS_WRITE, 0);
    EQUAL(cfs_excludes_readers(file, start, 510), 0);
    EQUAL(cfs_lock_bytes(file, start, 510, true), 0);
    EQUAL(cfs_lock_bytes(file, start, 510, false), 0);
    int input;
    pid_t process = hold_byte(directory, (off_t)start + 2, &input);
    EQUAL(cfs_lock_bytes(file, start, 510, true), -EAGAIN);
    EQUAL(cfs_excludes_readers(file, start, 510), 1);
    EQUAL(cfs_excludes_readers(file, start + 3, 507), 0);
    close(input);
    int code = -1;
    CHECK(waitpid(process, &code, 0) == process && code == 0);
    EQUAL(cfs_lock_bytes(file, start, 510, true), 0);
    EQUAL(cfs_close(file), 0);
    EQUAL(cfs_remove(directory, "file", false), 0);
}

void check_locks(int directory) {
    check_whole(directory);
    check_bytes(directory);
}

void check_watches(int directory) {
    cfs_watch *watch = NULL;
    cfs_change change;
    EQUAL(cfs_make_directory(directory, "watched", 0700), 0);
    int watched = cfs_open_at(directory, "watched", CFS_READ | CFS_AS_DIRECTORY, 0);
    EQUAL(cfs_watch_make(&watch), 0);
    if (watch == NULL) return;
    const int number = cfs_watch_add(watch, watched);
    CHECK(number >= 0);
    cfs_close(make_file(watched, "new", ""));
    EQUAL(cfs_watch_next(watch, &change), 0);
    EQUAL(change.kind, CFS_WATCH_CHANGED);
    EQUAL(change.directory, number);
    CHECK(!cfs_watch_reports_names || (change.is_new && strcmp(change.name, "new") == 0));
    EQUAL(cfs_remove(watched, "new", false), 0);
    cfs_watch_remove(watch, number);
    cfs_watch_stop(watch);
    // A change that the kernel has already noted may come first.
    for (int count = 0; count < 20 && change.kind != CFS_WATCH_STOPPED; count++) EQUAL(cfs_watch_next(watch, &change), 0);
    EQUAL(change.kind, CFS_WATCH_STOPPED);
    cfs_watch_free(watch);
    EQUAL(cfs_close(watched), 0);
    EQUAL(cfs_remove(directory, "watched", true), 0);
}
