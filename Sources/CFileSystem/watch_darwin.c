#ifdef __APPLE__
#include "CFileSystem.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/event.h>
#include <unistd.h>

const bool cfs_watch_reports_names = false;

struct cfs_watch {
    int queue;
};

int cfs_watch_make(cfs_watch **watch) {
    struct cfs_watch *made = calloc(1, sizeof *made);
    if (made == NULL) return -ENOMEM;
    made->queue = kqueue();
    struct kevent stop;
    EV_SET(&stop, 0, EVFILT_USER, EV_ADD, 0, 0, NULL);
    if (made->queue < 0 || kevent(made->queue, &stop, 1, NULL, 0, NULL) < 0) {
        int error = errno;
        cfs_watch_free(made);
        return -error;
    }
    *watch = made;
    return 0;
}

void cfs_watch_free(cfs_watch *watch) {
    if (watch->queue >= 0) close(watch->queue);
    free(watch);
}

// Each watch is a descriptor of its own, so that the same directory may have several.
int cfs_watch_add(cfs_watch *watch, int directory) {
    int added = fcntl(directory, F_DUPFD_CLOEXEC, 0);
    if (added < 0) return -errno;
    struct kevent change;
    EV_SET(&change, added, EVFILT_VNODE, EV_ADD | EV_CLEAR, NOTE_WRITE | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE, 0, NULL);
    if (kevent(watch->queue, &change, 1, NULL, 0, NULL) == 0) return added;
    int error = errno;
    close(added);
    return -error;
}

// Closing the descriptor ends its events.
void cfs_watch_remove(cfs_watch *watch, int directory) {
    (void)watch;
    close(directory);
}

void cfs_watch_stop(cfs_watch *watch) {
    struct kevent stop;
    EV_SET(&stop, 0, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    kevent(watch->queue, &stop, 1, NULL, 0, NULL);
}

int cfs_watch_next(cfs_watch *watch, cfs_change *change) {
    struct kevent found;
    int count;
    do count = kevent(watch->queue, NULL, 0, &found, 1, NULL);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    *change = (cfs_change){.kind = CFS_WATCH_STOPPED};
    if (found.filter == EVFILT_USER) return 0;
    change->directory = (int)found.ident;
    change->kind =
        found.fflags & (NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE) ? CFS_WATCH_SELF_REMOVED : CFS_WATCH_CHANGED;
    return 0;
}
#endif
