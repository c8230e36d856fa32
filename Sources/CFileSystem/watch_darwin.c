#ifdef __APPLE__
#include "CFileSystem.h"
#include <errno.h>

// No watch: the caller polls. FSEvents and kqueue report less, and later, than a comparison of the directory does.

int cfs_watch_make(cfs_watch **watch) {
    (void)watch;
    return -ENOTSUP;
}

int cfs_watch_add(cfs_watch *watch, int directory) {
    (void)watch;
    (void)directory;
    return -ENOTSUP;
}

void cfs_watch_remove(cfs_watch *watch, int directory) {
    (void)watch;
    (void)directory;
}

int cfs_watch_next(cfs_watch *watch, cfs_change *change) {
    (void)watch;
    (void)change;
    return -ENOTSUP;
}

void cfs_watch_stop(cfs_watch *watch) { (void)watch; }
void cfs_watch_free(cfs_watch *watch) { (void)watch; }
#endif
