// walker: reads a tree as the linter does, and does nothing else: one statx per item, and one attribute
// listing per file and directory. With -r, it also reads the start of the files with these suffixes.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attributes.h"
#include "fail.h"
#include "queue.h"

enum { ENTRIES_CAPACITY = 64 * 1024, MOST_THREADS = 256, MOST_SUFFIXES = 16, START_SIZE = 512 };

// The layout of the results of getdents64.
struct entry {
    uint64_t inode;
    int64_t next;
    uint16_t size;
    uint8_t kind;
    char name[];
};

struct counts {
    uint64_t items;
    uint64_t bytes;
    uint64_t flagged;
    uint64_t read;
};

// The suffixes of the files whose start is read.
struct suffixes {
    const char *all[MOST_SUFFIXES];
    size_t count;
};

struct walk {
    int root;
    bool threaded;
    const struct suffixes *suffixes;
    struct queue folders;
};

struct worker {
    struct walk *walk;
    pthread_t thread;
    struct place place;
    struct counts counts;
    alignas(struct entry) char entries[ENTRIES_CAPACITY];
};

static bool is_dot_or_dot_dot(const char *name) {
    return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

static char *path_of(const char *parent, const char *name) {
    const size_t parent_length = strlen(parent), name_size = strlen(name) + 1;
    char *path = malloc(parent_length + 1 + name_size);
    if (path == NULL) fail("malloc");
    memcpy(path, parent, parent_length);
    path[parent_length] = '/';
    memcpy(path + parent_length + 1, name, name_size);
    return path;
}

static bool is_read(const struct suffixes *suffixes, const char *name) {
    const size_t length = strlen(name);
    for (size_t i = 0; i < suffixes->count; i++) {
        const size_t size = strlen(suffixes->all[i]);
        if (length >= size && memcmp(name + length - size, suffixes->all[i], size) == 0) return true;
    }
    return false;
}

static void read_start(struct worker *worker, const char *name) {
    char start[START_SIZE];
    const int at = worker->place.inside ? AT_FDCWD : worker->place.folder;
    int file = openat(at, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOATIME);
    // Only the owner of a file may preserve its access time.
    if (file < 0 && errno == EPERM) file = openat(at, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 || read(file, start, sizeof start) < 0) fail(name);
    close(file);
    worker->counts.read += 1;
}

static void visit(struct worker *worker, const char *parent, const char *name) {
    struct statx status;
    const int at = worker->place.inside ? AT_FDCWD : worker->place.folder;
    const int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
    if (statx(at, name, flags, STATX_BASIC_STATS | STATX_BTIME, &status) != 0) fail(name);
    const bool file = S_ISREG(status.stx_mode), folder = S_ISDIR(status.stx_mode);
    worker->counts.items += 1;
    if (file) worker->counts.bytes += status.stx_size;
    if (file || folder) worker->counts.flagged += is_flagged(&worker->place, name);
    if (file && is_read(worker->walk->suffixes, name)) read_start(worker, name);
    if (folder) queue_add(&worker->walk->folders, path_of(parent, name));
}

static int open_folder(int root, const char *path) {
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int folder = openat(root, path, flags | O_NOATIME);
    // Only the owner of a directory may preserve its access time.
    if (folder < 0 && errno == EPERM) folder = openat(root, path, flags);
    if (folder < 0) fail(path);
    return folder;
}

static void read_folder(struct worker *worker, const char *path) {
    struct place *place = &worker->place;
    place->folder = open_folder(worker->walk->root, path);
    if (place->inside && fchdir(place->folder) != 0) fail(path);
    for (;;) {
        const long filled = syscall(SYS_getdents64, place->folder, worker->entries, sizeof worker->entries);
        if (filled < 0) fail(path);
        if (filled == 0) break;
        for (long offset = 0; offset < filled;) {
            const struct entry *entry = (const struct entry *)(worker->entries + offset);
            offset += entry->size;
            if (!is_dot_or_dot_dot(entry->name)) visit(worker, path, entry->name);
        }
    }
    close(place->folder);
}

static void *work(void *argument) {
    struct worker *worker = argument;
    // Lookups from the working directory are faster than from a descriptor, whose references are counted across
    // threads. A seccomp filter may refuse separate working directories.
    worker->place.inside = !worker->walk->threaded || unshare(CLONE_FS) == 0;
    for (char *path; (path = queue_take(&worker->walk->folders)) != NULL; free(path)) {
        read_folder(worker, path);
        queue_finish(&worker->walk->folders);
    }
    return NULL;
}

static struct counts walk_tree(const char *path, int threads, const struct suffixes *suffixes) {
    struct walk walk = {
        .root = open_folder(AT_FDCWD, path), .threaded = threads > 1, .suffixes = suffixes, .folders = QUEUE_INITIALIZER,
    };
    queue_add(&walk.folders, strdup("."));
    struct worker *workers = calloc((size_t)threads, sizeof *workers);
    if (workers == NULL) fail("calloc");
    for (int i = 0; i < threads; i++) workers[i].walk = &walk;

    // The first worker is this thread: with one worker the process is single-threaded, and the kernel does
    // not count references.
    for (int i = 1; i < threads; i++) {
        errno = pthread_create(&workers[i].thread, NULL, work, &workers[i]);
        if (errno != 0) fail("pthread_create");
    }
    work(&workers[0]);
    struct counts sum = workers[0].counts;
    for (int i = 1; i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
        sum.items += workers[i].counts.items;
        sum.bytes += workers[i].counts.bytes;
        sum.flagged += workers[i].counts.flagged;
        sum.read += workers[i].counts.read;
    }
    return sum;
}

int main(int argc, char **argv) {
    long threads = 1;
    struct suffixes suffixes = {.count = 0};
    for (int option; (option = getopt(argc, argv, "j:r:")) != -1;) {
        if (option == 'r' && suffixes.count < MOST_SUFFIXES) {
            suffixes.all[suffixes.count++] = optarg;
            continue;
        }
        char *end = NULL;
        if (option == 'j') threads = strtol(optarg, &end, 10);
        if (end == NULL || *end != '\0' || threads < 1 || threads > MOST_THREADS) optind = argc;
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "usage: walker [-j THREADS] [-r SUFFIX]... DIR\n");
        return 2;
    }
    const struct counts counts = walk_tree(argv[optind], (int)threads, &suffixes);
    printf("items %" PRIu64 "\nbytes %" PRIu64 "\nflagged %" PRIu64 "\n", counts.items, counts.bytes, counts.flagged);
    if (suffixes.count > 0) printf("read %" PRIu64 "\n", counts.read);
    return 0;
}
