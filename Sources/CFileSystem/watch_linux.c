#ifdef __linux__
#define _GNU_SOURCE
#include "CFileSystem.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

struct cfs_watcher {
    int descriptor;
    ssize_t length, position;
    _Alignas(struct inotify_event) char bytes[16 * 1024];
};

cfs_watcher *cfs_watcher_make(void) {
    cfs_watcher *watcher = calloc(1, sizeof *watcher);
    if (watcher == NULL) return NULL;
    watcher->descriptor = inotify_init1(IN_CLOEXEC);
    if (watcher->descriptor >= 0) return watcher;
    int saved = errno;
    free(watcher);
    errno = saved;
    return NULL;
}

int cfs_watcher_add(cfs_watcher *watcher, int directory) {
    // inotify has no call for a descriptor.
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", directory);
    uint32_t events = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB
        | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    int watch = inotify_add_watch(watcher->descriptor, path, events);
    return watch < 0 ? -errno : watch;
}

void cfs_watcher_remove(cfs_watcher *watcher, int watch) { inotify_rm_watch(watcher->descriptor, watch); }

int cfs_watcher_next(cfs_watcher *watcher, cfs_watch_event *event) {
    if (watcher->position >= watcher->length) {
        ssize_t length;
        do length = read(watcher->descriptor, watcher->bytes, sizeof watcher->bytes);
        while (length < 0 && errno == EINTR);
        if (length <= 0) return length < 0 ? -errno : -EIO;
        watcher->length = length;
        watcher->position = 0;
    }
    const struct inotify_event *found = (const void *)(watcher->bytes + watcher->position);
    watcher->position += (ssize_t)(sizeof *found + found->len);
    *event = (cfs_watch_event){
        .watch = found->mask & IN_Q_OVERFLOW ? -1 : found->wd,
        .has_ended = (found->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)) != 0,
        .name = found->len > 0 ? found->name : "",
    };
    return 1;
}

uint64_t cfs_coarse_uptime_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#endif
