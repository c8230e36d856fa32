#include "attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "fail.h"

// In Linux since 6.13, in C libraries later. The number is the same on every architecture except alpha.
#ifndef SYS_listxattrat
#define SYS_listxattrat 465
#endif

enum {
    // The kernel allocates the size of the buffer on every call, so 64 KiB would take a third longer.
    USUAL_NAMES = 256,
    MOST_NAMES = 64 * 1024,
};

static const char flag_name[] = "user.com.apple.metadata:com_apple_backup_excludeItem";

static ssize_t list_through_proc(int folder, const char *name, char *names, size_t capacity) {
    char path[sizeof "/proc/self/fd/" + 3 * sizeof folder + 1 + NAME_MAX];
    snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, name);
    return llistxattr(path, names, capacity);
}

static ssize_t list(const struct place *place, const char *name, char *names, size_t capacity) {
    static atomic_bool missing = false;
    if (place->inside) return llistxattr(name, names, capacity);
    if (!atomic_load_explicit(&missing, memory_order_relaxed)) {
        const long length = syscall(SYS_listxattrat, place->folder, name, AT_SYMLINK_NOFOLLOW, names, capacity);
        if (length >= 0 || errno != ENOSYS) return length;
        atomic_store_explicit(&missing, true, memory_order_relaxed);
    }
    return list_through_proc(place->folder, name, names, capacity);
}

static bool holds_flag(const char *names, ssize_t length) {
    for (const char *name = names; name < names + length; name += strlen(name) + 1) {
        if (strcmp(name, flag_name) == 0) return true;
    }
    return false;
}

static bool is_flagged_among_many(const struct place *place, const char *name) {
    char *names = malloc(MOST_NAMES);
    if (names == NULL) fail("malloc");
    const ssize_t length = list(place, name, names, MOST_NAMES);
    if (length < 0) fail(name);
    const bool flagged = holds_flag(names, length);
    free(names);
    return flagged;
}

bool is_flagged(const struct place *place, const char *name) {
    char names[USUAL_NAMES];
    const ssize_t length = list(place, name, names, sizeof names);
    if (length >= 0) return holds_flag(names, length);
    if (errno == ERANGE) return is_flagged_among_many(place, name);
    // A file system without attributes has no exclusions.
    if (errno == ENOTSUP) return false;
    fail(name);
}
