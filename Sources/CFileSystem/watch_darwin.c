#ifdef __APPLE__
#include "CFileSystem.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/event.h>
#include <time.h>
#include <unistd.h>

// Built and read against Apple's man pages; not yet run on an Apple system by this project's CI.

struct cfs_watcher {
    int queue;
};

cfs_watcher *cfs_watcher_make(void) {
    cfs_watcher *watcher = calloc(1, sizeof *watcher);
    if (watcher == NULL) return NULL;
    watcher->queue = kqueue();
    if (watcher->queue >= 0) return watcher;
    int saved = errno;
    free(watcher);
    errno = saved;
    return NULL;
}

// Each watch is a descriptor of its own, so that the same directory may have several.
int cfs_watcher_add(cfs_watcher *watcher, int directory) {
    int watch = fcntl(directory, F_DUPFD_CLOEXEC, 0);
    if (watch < 0) return -errno;
    struct kevent change;
    EV_SET(&change, watch, EVFILT_VNODE, EV_ADD | EV_CLEAR, NOTE_WRITE | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE, 0, NULL);
    if (kevent(watcher->queue, &change, 1, NULL, 0, NULL) == 0) return watch;
    int saved = errno;
    close(watch);
    return -saved;
}

// Closing the descriptor ends its events.
void cfs_watcher_remove(cfs_watcher *watcher, int watch) {
    (void)watcher;
    close(watch);
}

int cfs_watcher_next(cfs_watcher *watcher, cfs_watch_event *event) {
    struct kevent found;
    int count;
    do count = kevent(watcher->queue, NULL, 0, &found, 1, NULL);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    *event = (cfs_watch_event){
        .watch = (int)found.ident,
        .has_ended = (found.fflags & (NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE)) != 0,
        .name = "",
    };
    return 1;
}

uint64_t cfs_coarse_uptime_nanoseconds(void) { return clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW_APPROX); }
#endif
