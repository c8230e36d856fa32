// Linux needs _GNU_SOURCE for these calls; Darwin does not.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CFileSystem.h"
#include "steps.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RESULT(call) ((call) < 0 ? -errno : 0)

int cfs_close(int descriptor) { return RESULT(close(descriptor)); }

long cfs_read(int descriptor, void *bytes, size_t count, uint64_t offset) {
    long result = pread(descriptor, bytes, count, (off_t)offset);
    return result < 0 ? -errno : result;
}

long cfs_read_next(int descriptor, void *bytes, size_t count) {
    long result = read(descriptor, bytes, count);
    return result < 0 ? -errno : result;
}

long cfs_write(int descriptor, const void *bytes, size_t count) {
    long result = write(descriptor, bytes, count);
    return result < 0 ? -errno : result;
}

long cfs_write_at(int descriptor, const void *bytes, size_t count, uint64_t offset) {
    long result = pwrite(descriptor, bytes, count, (off_t)offset);
    return result < 0 ? -errno : result;
}

int cfs_set_size(int descriptor, uint64_t size) { return RESULT(ftruncate(descriptor, (off_t)size)); }

int64_t cfs_next_data(int descriptor, uint64_t offset) {
    off_t found = lseek(descriptor, (off_t)offset, SEEK_DATA);
    return found < 0 ? -errno : found;
}

int cfs_map(int descriptor, size_t count, void **address) {
    void *mapped = mmap(NULL, count, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped == MAP_FAILED) return -errno;
    *address = mapped;
    return 0;
}

void cfs_unmap(void *address, size_t count) { munmap(address, count); }

int cfs_lock(int descriptor, bool exclusive) {
    return RESULT(flock(descriptor, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB));
}

// Apple's headers declare these for some configurations only.
#ifndef F_OFD_SETLK
#define F_OFD_SETLK 90
#define F_OFD_GETLK 92
#endif

static struct flock bytes_lock(uint64_t start, uint64_t count, short type) {
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)start, .l_len = (off_t)count};
}

int cfs_lock_bytes(int descriptor, uint64_t start, uint64_t count, bool acquire) {
    struct flock lock = bytes_lock(start, count, acquire ? F_RDLCK : F_UNLCK);
    int result = RESULT(fcntl(descriptor, F_OFD_SETLK, &lock));
    // POSIX allows both.
    return result == -EACCES ? -EAGAIN : result;
}

int cfs_excludes_readers(int descriptor, uint64_t start, uint64_t count) {
    struct flock lock = bytes_lock(start, count, F_RDLCK);
    if (fcntl(descriptor, F_OFD_GETLK, &lock) < 0) return -errno;
    return lock.l_type != F_UNLCK && lock.l_start >= (off_t)start;
}

ptrdiff_t cfs_next_marked(const uint8_t *table, const void *bytes, ptrdiff_t from, ptrdiff_t end) {
    const uint8_t *text = bytes;
    for (ptrdiff_t position = from; position + 2 < end; position++) {
        uint32_t word = (uint32_t)text[position] | (uint32_t)text[position + 1] << 8 | (uint32_t)text[position + 2] << 16;
        uint32_t hash = (word * UINT32_C(2654435761)) >> 16;
        if (table[hash >> 3] & (1u << (hash & 7))) return position;
    }
    return end;
}

ptrdiff_t cfs_next_division(
    const uint64_t *table, uint64_t mask, const void *bytes, ptrdiff_t from, ptrdiff_t end) {
    const uint8_t *text = bytes;
    uint64_t hash = 0;
    for (ptrdiff_t position = from > 64 ? from - 64 : 0; position < from; position++) {
        hash = (hash << 1) + table[text[position]];
    }
    for (ptrdiff_t position = from; position < end; position++) {
        if ((hash & mask) == 0) return position;
        hash = (hash << 1) + table[text[position]];
    }
    return end;
}

bool cfs_is_process_gone(int process) { return process > 0 && kill(process, 0) != 0 && errno == ESRCH; }

int cfs_unlock(int descriptor) { return RESULT(flock(descriptor, LOCK_UN)); }

int cfs_rename(int from_directory, const char *from, int to_directory, const char *to) {
    return RESULT(renameat(from_directory, from, to_directory, to));
}

/// Returns true if a link call failed because the file system or the file cannot have hard links.
static bool is_link_unsupported(int error) {
    return error == EPERM || error == EMLINK || error == ENOSYS || error == ENOTSUP || error == EOPNOTSUPP;
}

int rename_new_in_steps(int from_directory, const char *from, int to_directory, const char *to) {
    struct stat found, taken;
    if (fstatat(from_directory, from, &found, AT_SYMLINK_NOFOLLOW) != 0) return -errno;
    // The kernel refuses a hard link if the name is taken. Symbolic links are excluded: Darwin may link their target.
    if (S_ISREG(found.st_mode)) {
        if (linkat(from_directory, from, to_directory, to, 0) == 0) {
            if (unlinkat(from_directory, from, 0) == 0) return 0;
            int failure = -errno;
            unlinkat(to_directory, to, 0);
            return failure;
        }
        if (!is_link_unsupported(errno)) return -errno;
    }
    if (fstatat(to_directory, to, &taken, AT_SYMLINK_NOFOLLOW) == 0) return -EEXIST;
    if (errno != ENOENT) return -errno;
    return RESULT(renameat(from_directory, from, to_directory, to));
}

bool is_other_spelling(int from_directory, const char *from, int to_directory, const char *to) {
    struct stat found, taken, first, second;
    if (fstatat(from_directory, from, &found, AT_SYMLINK_NOFOLLOW) != 0) return false;
    if (fstatat(to_directory, to, &taken, AT_SYMLINK_NOFOLLOW) != 0) return false;
    if (fstat(from_directory, &first) != 0 || fstat(to_directory, &second) != 0) return false;
    const bool is_same = found.st_dev == taken.st_dev && found.st_ino == taken.st_ino;
    const bool is_in_same = first.st_dev == second.st_dev && first.st_ino == second.st_ino;
    // An entry with one link has one name. Directories have no hard links.
    return is_same && is_in_same && strcmp(from, to) != 0 && (S_ISDIR(found.st_mode) || found.st_nlink == 1);
}

int cfs_remove(int directory, const char *name, bool is_directory) {
    return RESULT(unlinkat(directory, name, is_directory ? AT_REMOVEDIR : 0));
}

int cfs_make_directory(int directory, const char *name, uint32_t permissions) {
    return RESULT(mkdirat(directory, name, (mode_t)permissions));
}

int cfs_make_link(int directory, const char *name, const char *target) {
    return RESULT(symlinkat(target, directory, name));
}

int cfs_add_name(int from_directory, const char *from, int to_directory, const char *to) {
    return RESULT(linkat(from_directory, from, to_directory, to, 0));
}

int cfs_set_permissions_at(int directory, const char *name, uint16_t permissions) {
    return RESULT(fchmodat(directory, name, (mode_t)permissions, 0));
}

int cfs_make_fifo(int directory, const char *name, uint32_t permissions) {
    return RESULT(mkfifoat(directory, name, (mode_t)permissions));
}

long cfs_read_link(int directory, const char *name, char *target, size_t count) {
    long result = readlinkat(directory, name, target, count);
    return result < 0 ? -errno : result;
}

int cfs_set_owner(int descriptor, uint32_t user, uint32_t group) { return RESULT(fchown(descriptor, user, group)); }

int cfs_set_link_owner(int directory, const char *name, uint32_t user, uint32_t group) {
    return RESULT(fchownat(directory, name, user, group, AT_SYMLINK_NOFOLLOW));
}

int cfs_set_permissions(int descriptor, uint16_t permissions) {
    return RESULT(fchmod(descriptor, (mode_t)permissions));
}

int cfs_set_permissions_of_directory(int directory, const char *name, uint16_t permissions) {
    return RESULT(fchmodat(directory, name, (mode_t)permissions, AT_SYMLINK_NOFOLLOW));
}

static struct timespec timespec_of(cfs_time time) {
    return (struct timespec){.tv_sec = (time_t)time.seconds, .tv_nsec = (long)time.nanoseconds};
}

int cfs_set_times(int descriptor, cfs_time accessed, cfs_time modified) {
    struct timespec times[2] = {timespec_of(accessed), timespec_of(modified)};
    return RESULT(futimens(descriptor, times));
}

int cfs_set_link_times(int directory, const char *name, cfs_time accessed, cfs_time modified) {
    struct timespec times[2] = {timespec_of(accessed), timespec_of(modified)};
    return RESULT(utimensat(directory, name, times, AT_SYMLINK_NOFOLLOW));
}

struct cfs_monitor {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
};

cfs_monitor *cfs_monitor_make(void) {
    cfs_monitor *monitor = malloc(sizeof *monitor);
    if (!monitor) abort(); // as Swift does if an allocation fails
    pthread_mutex_init(&monitor->mutex, NULL);
    pthread_cond_init(&monitor->condition, NULL);
    return monitor;
}
void cfs_monitor_lock(cfs_monitor *monitor) { pthread_mutex_lock(&monitor->mutex); }
void cfs_monitor_unlock(cfs_monitor *monitor) { pthread_mutex_unlock(&monitor->mutex); }
void cfs_monitor_wait(cfs_monitor *monitor) { pthread_cond_wait(&monitor->condition, &monitor->mutex); }
void cfs_monitor_wake_all(cfs_monitor *monitor) { pthread_cond_broadcast(&monitor->condition); }
void cfs_monitor_free(cfs_monitor *monitor) {
    pthread_cond_destroy(&monitor->condition);
    pthread_mutex_destroy(&monitor->mutex);
    free(monitor);
}

struct job {
    void (*body)(void *);
    void *context;
};

_Thread_local bool cfs_is_worker = false;

static void *run_job(void *argument) {
    struct job *job = argument;
    cfs_is_worker = true;
    job->body(job->context);
    return NULL;
}

/// Starts a thread with a stack of `STACK` bytes. The default depends on the system: RLIMIT_STACK on Linux, 512 KiB on
/// Darwin.
static int start_thread(pthread_t *thread, void *(*body)(void *), void *context) {
    enum { STACK = 8 << 20 };
    pthread_attr_t attributes;
    int result = pthread_attr_init(&attributes);
    if (result != 0) return result;
    result = pthread_attr_setstacksize(&attributes, STACK);
    if (result == 0) result = pthread_create(thread, &attributes, body, context);
    pthread_attr_destroy(&attributes);
    return result;
}

int cfs_run_threads(int count, void (*body)(void *), void *context) {
    enum { MOST = 256 };
    struct job job = {.body = body, .context = context};
    pthread_t threads[MOST];
    int started = 0;
    // Fewer threads than requested are sufficient, because all work is taken from one queue.
    while (started < count && started < MOST && start_thread(&threads[started], run_job, &job) == 0)
        started++;
    if (started == 0) body(context);
    for (int index = 0; index < started; index++) pthread_join(threads[index], NULL);
    return started;
}

struct start {
    void (*body)(void *);
    void *context;
};

static void *run_start(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    start.body(start.context);
    return NULL;
}

int cfs_start_thread(void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (start == NULL) return -ENOMEM;
    *start = (struct start){.body = body, .context = context};
    pthread_t thread;
    int result = start_thread(&thread, run_start, start);
    if (result == 0) return -pthread_detach(thread);
    free(start);
    return -result;
}

uint64_t cfs_thread(void) { return (uint64_t)(uintptr_t)pthread_self(); }

cfs_time cfs_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (cfs_time){.seconds = now.tv_sec, .nanoseconds = (uint32_t)now.tv_nsec};
}

uint64_t cfs_uptime_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void cfs_pause(uint32_t milliseconds) {
    struct timespec rest = {.tv_sec = milliseconds / 1000, .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    nanosleep(&rest, NULL);
}

bool cfs_can_allocate(size_t count) {
    // Without volatile, the compiler would remove both calls and return true.
    void *volatile memory = malloc(count ? count : 1);
    free(memory);
    return memory != NULL;
}

bool cfs_is_terminal(int descriptor) { return isatty(descriptor) == 1; }

int cfs_terminal_columns(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int cfs_process_id(void) { return getpid(); }

uint32_t cfs_user(void) { return (uint32_t)geteuid(); }

long cfs_working_directory(char *bytes, size_t size) {
    return getcwd(bytes, size) == NULL ? -errno : (long)strlen(bytes);
}
