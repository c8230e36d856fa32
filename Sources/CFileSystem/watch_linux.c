#ifdef __linux__
#define _GNU_SOURCE
#include "CFileSystem.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

const bool cfs_watch_reports_names = true;

struct cfs_watch {
    int events;
    int stop;
    size_t start;
    size_t end;
    _Alignas(struct inotify_event) char buffer[64 * 1024];
};

int cfs_watch_make(cfs_watch **watch) {
    struct cfs_watch *made = calloc(1, sizeof *made);
    if (made == NULL) return -ENOMEM;
    made->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    made->stop = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (made->events < 0 || made->stop < 0) {
        int error = errno;
        cfs_watch_free(made);
        return -error;
    }
    *watch = made;
    return 0;
}

void cfs_watch_free(cfs_watch *watch) {
    if (watch->events >= 0) close(watch->events);
    if (watch->stop >= 0) close(watch->stop);
    free(watch);
}

int cfs_watch_add(cfs_watch *watch, int directory) {
    // inotify has no call for a descriptor, and the path of the directory may lead elsewhere by now.
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", directory);
    uint32_t mask = IN_CREATE | IN_MODIFY | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF |
        IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;
    int added = inotify_add_watch(watch->events, path, mask);
    return added >= 0 ? added : -errno;
}

void cfs_watch_remove(cfs_watch *watch, int directory) { inotify_rm_watch(watch->events, directory); }

void cfs_watch_stop(cfs_watch *watch) {
    uint64_t one = 1;
    ssize_t written = write(watch->stop, &one, sizeof one);
    (void)written;
}

static int fill(cfs_watch *watch) {
    struct pollfd waits[] = {{.fd = watch->events, .events = POLLIN}, {.fd = watch->stop, .events = POLLIN}};
    for (;;) {
        if (poll(waits, 2, -1) < 0) {
            if (errno == EINTR) continue;
            return -errno;
        }
        if (waits[1].revents != 0) return 0;
        ssize_t count = read(watch->events, watch->buffer, sizeof watch->buffer);
        if (count < 0) {
            if (errno == EINTR || errno == EAGAIN) continue;
            return -errno;
        }
        watch->start = 0;
        watch->end = (size_t)count;
        return 1;
    }
}

int cfs_watch_next(cfs_watch *watch, cfs_change *change) {
    for (;;) {
        if (watch->start >= watch->end) {
            int filled = fill(watch);
            if (filled < 0) return filled;
            if (filled == 0) {
                *change = (cfs_change){.kind = CFS_WATCH_STOPPED};
                return 0;
            }
        }
        const struct inotify_event *event = (const void *)(watch->buffer + watch->start);
        watch->start += sizeof *event + event->len;
        *change = (cfs_change){.directory = event->wd, .is_directory = (event->mask & IN_ISDIR) != 0};
        if (event->mask & IN_Q_OVERFLOW) change->kind = CFS_WATCH_OVERFLOW;
        else if (event->mask & IN_IGNORED) change->kind = CFS_WATCH_ENDED;
        else if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF)) change->kind = CFS_WATCH_SELF_REMOVED;
        else if (event->mask & (IN_DELETE | IN_MOVED_FROM)) {
            change->kind = CFS_WATCH_REMOVED;
            change->is_moved = (event->mask & IN_MOVED_FROM) != 0;
        } else if (event->mask & (IN_CREATE | IN_MOVED_TO | IN_MODIFY | IN_ATTRIB)) {
            change->kind = CFS_WATCH_CHANGED;
            change->is_new = (event->mask & (IN_CREATE | IN_MOVED_TO)) != 0;
        } else continue;
        if (event->len > 0) {
            change->length = strnlen(event->name, event->len);
            if (change->length >= sizeof change->name) change->length = sizeof change->name - 1;
            memcpy(change->name, event->name, change->length);
        }
        return 0;
    }
}
#endif
