#ifdef __linux__
#define _GNU_SOURCE
#include "CFileSystem.h"
#include "kind.h"
#include "steps.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

// System call numbers that the headers of an older C library lack. They are the same on every architecture.
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#define CALL_setxattrat 463
#define CALL_getxattrat 464
#define CALL_listxattrat 465
#define CALL_removexattrat 466

#define RESULT(call) ({ long result_ = (call); result_ < 0 ? -(long)errno : result_; })

const char *const cfs_attribute_prefix = "user.";

static cfs_time time_of(struct statx_timestamp stamp) {
    return (cfs_time){.seconds = stamp.tv_sec, .nanoseconds = stamp.tv_nsec};
}

int cfs_status_at(int directory, const char *name, cfs_status *status) {
    struct statx found;
    int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_SYNC_AS_STAT | (*name ? 0 : AT_EMPTY_PATH);
    if (statx(directory, name, flags, STATX_BASIC_STATS | STATX_BTIME, &found) != 0) return -errno;
    *status = (cfs_status){
        .kind = kind_of_mode(found.stx_mode),
        .no_dump = (found.stx_attributes & STATX_ATTR_NODUMP) != 0,
        .has_birth = (found.stx_mask & STATX_BTIME) != 0,
        .permissions = found.stx_mode & 07777,
        .links = found.stx_nlink,
        .user = found.stx_uid,
        .group = found.stx_gid,
        .size = found.stx_size,
        .allocated = found.stx_blocks * 512,
        .inode = found.stx_ino,
        .device = (uint64_t)found.stx_dev_major << 32 | found.stx_dev_minor,
        .accessed = time_of(found.stx_atime),
        .modified = time_of(found.stx_mtime),
        .changed = time_of(found.stx_ctime),
        .birth = time_of(found.stx_btime),
    };
    return 0;
}

static int open_flags(int how) {
    int flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    if ((how & CFS_READ) && (how & CFS_WRITE)) flags |= O_RDWR;
    else if (how & CFS_WRITE) flags |= O_WRONLY;
    else flags |= O_RDONLY;
    if (how & CFS_CREATE_NEW) flags |= O_CREAT | O_EXCL;
    if (how & CFS_AS_DIRECTORY) flags |= O_DIRECTORY;
    if (how & CFS_NO_FOLLOW) flags |= O_NOFOLLOW;
    if (how & CFS_QUIETLY) flags |= O_NOATIME;
    if (how & CFS_APPEND) flags |= O_APPEND;
    return flags;
}

static atomic_bool moves_access_times;

bool cfs_moves_access_times(void) { return atomic_load_explicit(&moves_access_times, memory_order_relaxed); }

bool cfs_marks_evicted_files(void) { return false; }

/// Records that reading from the descriptor may change the access time.
static void note_access_time(int descriptor, bool is_directory) {
    struct statvfs found;
    if (cfs_moves_access_times() || fstatvfs(descriptor, &found) != 0) return;
    unsigned long kept = ST_RDONLY | ST_NOATIME | (is_directory ? ST_NODIRATIME : 0);
    if ((found.f_flag & kept) == 0) atomic_store_explicit(&moves_access_times, true, memory_order_relaxed);
}

/// Records the same for a file. Opening a directory does not change its access time; listing it does.
static void note_opened(int descriptor) {
    struct stat found;
    int error = errno;
    if (descriptor >= 0 && fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode)) note_access_time(descriptor, false);
    errno = error;
}

int cfs_open_at(int directory, const char *path, int how, uint32_t permissions) {
    int descriptor = openat(directory, path, open_flags(how), permissions);
    // Only the owner may use O_NOATIME.
    if (descriptor < 0 && errno == EPERM && (how & CFS_QUIETLY)) {
        descriptor = openat(directory, path, open_flags(how & ~CFS_QUIETLY), permissions);
        note_opened(descriptor);
    }
    return descriptor < 0 ? -errno : descriptor;
}

static long open_beneath_once(int directory, const char *path, int how, uint32_t permissions) {
    struct open_how request = {
        .flags = open_flags(how),
        .mode = (how & CFS_CREATE_NEW) ? permissions : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | ((how & CFS_NO_LINKS) ? RESOLVE_NO_SYMLINKS : 0),
    };
    // If another process renames an entry while ".." is resolved, the kernel returns EAGAIN.
    for (int attempt = 0;; attempt++) {
        long descriptor = syscall(SYS_openat2, directory, path, &request, sizeof request);
        if (descriptor >= 0 || errno != EAGAIN || attempt == 64) return descriptor;
    }
}

int cfs_open_beneath(int directory, const char *path, int how, uint32_t permissions) {
    long descriptor = open_beneath_once(directory, path, how, permissions);
    if (descriptor < 0 && errno == EPERM && (how & CFS_QUIETLY)) {
        descriptor = open_beneath_once(directory, path, how & ~CFS_QUIETLY, permissions);
        note_opened((int)descriptor);
    }
    return descriptor < 0 ? -errno : (int)descriptor;
}

int cfs_sync(int descriptor) { return RESULT(fsync(descriptor)); }

int cfs_sync_data(int descriptor) { return RESULT(fdatasync(descriptor)); }

int cfs_protection_class(int descriptor) {
    (void)descriptor;
    return -ENOTSUP;
}

int cfs_set_protection_class(int descriptor, int protection_class) {
    (void)descriptor;
    (void)protection_class;
    return -ENOTSUP;
}

int cfs_sync_file_system(int descriptor) { return RESULT(syncfs(descriptor)); }

int cfs_rename_new(int from_directory, const char *from, int to_directory, const char *to) {
    int result = RESULT(renameat2(from_directory, from, to_directory, to, RENAME_NOREPLACE));
    if (result == -EEXIST && is_other_spelling(from_directory, from, to_directory, to))
        return cfs_rename(from_directory, from, to_directory, to);
    return result == -EINVAL ? rename_new_in_steps(from_directory, from, to_directory, to) : result;
}

int cfs_exchange(int from_directory, const char *from, int to_directory, const char *to) {
    return RESULT(renameat2(from_directory, from, to_directory, to, RENAME_EXCHANGE));
}

int cfs_start_writing(int descriptor, uint64_t offset, uint64_t count) {
    return RESULT(sync_file_range(descriptor, (off_t)offset, (off_t)count, SYNC_FILE_RANGE_WRITE));
}

int cfs_set_no_dump(int descriptor) {
    int flags = 0;
    if (ioctl(descriptor, FS_IOC_GETFLAGS, &flags) != 0) return -errno;
    flags |= FS_NODUMP_FL;
    return RESULT(ioctl(descriptor, FS_IOC_SETFLAGS, &flags));
}

int cfs_clone_file(int from, int to_directory, const char *to) {
    int copy = openat(to_directory, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (copy < 0) return -errno;
    int result = RESULT(ioctl(copy, FICLONE, from));
    close(copy);
    if (result < 0) unlinkat(to_directory, to, 0);
    // The error of the kernel for a file system without this call.
    return result == -ENOTTY ? -EOPNOTSUPP : result;
}

long cfs_copy_range(int from, int to, uint64_t offset, size_t count) {
    off_t read_at = (off_t)offset, write_at = (off_t)offset;
    long result = copy_file_range(from, &read_at, to, &write_at, count, 0);
    return result < 0 ? -errno : result;
}

int cfs_path_of(int directory, char *path, size_t count) {
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", directory);
    ssize_t length = readlink(name, path, count);
    if (length < 0) return -errno;
    if ((size_t)length >= count) return -ENAMETOOLONG;
    path[length] = 0;
    // Deleted directories, and paths outside the root of this process, do not begin with a slash.
    return *path == '/' ? 0 : -ENOENT;
}

int cfs_leave_files_untouched(void) { return 0; }

int cfs_space_of(int descriptor, cfs_space *space) {
    struct statvfs found;
    if (fstatvfs(descriptor, &found) != 0) return -errno;
    *space = (cfs_space){
        .total = (uint64_t)found.f_blocks * found.f_frsize,
        .free = (uint64_t)found.f_bfree * found.f_frsize,
        .available = (uint64_t)found.f_bavail * found.f_frsize,
    };
    return 0;
}

int cfs_distinguishes_case(int directory) {
    struct statfs found;
    if (fstatfs(directory, &found) != 0) return -errno;
    switch ((unsigned long)found.f_type) {
    case MSDOS_SUPER_MAGIC:
    case EXFAT_SUPER_MAGIC: return 0;
    // The server, or the program that implements the file system, decides.
    case FUSE_SUPER_MAGIC:
    case CIFS_SUPER_MAGIC:
    case SMB2_SUPER_MAGIC:
    case NFS_SUPER_MAGIC: return -ENOTSUP;
    default: break;
    }
    // ext4, f2fs and tmpfs ignore case in directories with this flag (chattr +F).
    int flags = 0;
    return ioctl(directory, FS_IOC_GETFLAGS, &flags) == 0 && (flags & FS_CASEFOLD_FL) ? 0 : 1;
}

int cfs_current_directory(void) { return AT_FDCWD; }

extern _Thread_local bool cfs_is_worker;

int cfs_work_in(int directory) {
    // Each use of a descriptor in a shared table is expensive; the thread's own working directory is not. Only workers
    // change it: the main thread keeps the working directory of the process.
    static _Thread_local enum { UNASKED, OWN, SHARED } state = UNASKED;
    if (state == UNASKED) state = cfs_is_worker && unshare(CLONE_FS) == 0 ? OWN : SHARED;
    return state == OWN && fchdir(directory) == 0 ? AT_FDCWD : directory;
}

int cfs_lock_holder(uint64_t device, uint64_t inode, int preferred) {
    // "1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF". Waiting requests begin with "1: ->".
    FILE *locks = fopen("/proc/locks", "re");
    if (!locks) return 0;
    char line[256];
    int holder = 0;
    while ((!holder || holder != preferred) && fgets(line, sizeof line, locks)) {
        int process;
        unsigned major, minor;
        unsigned long long number;
        if (sscanf(line, "%*s FLOCK %*s %*s %d %x:%x:%llu", &process, &major, &minor, &number) != 4) continue;
        if (process <= 0 || number != inode || ((uint64_t)major << 32 | minor) != device) continue;
        if (!holder || process == preferred) holder = process;
    }
    fclose(locks);
    return holder;
}

// MARK: - Extended attributes

struct attribute_arguments {
    uint64_t value;
    uint32_t size;
    uint32_t flags;
};

/// Writes `/proc/self/fd/N/name`, the path to an entry of an open directory for kernels without the …xattrat calls
/// (before Linux 6.13).
static int entry_path(char *path, size_t count, int directory, const char *name) {
    int length = snprintf(path, count, "/proc/self/fd/%d/%s", directory, name);
    return length < 0 || (size_t)length >= count ? -ENAMETOOLONG : 0;
}

// A sandbox may return EPERM for an unknown call. The older call then returns the actual error.
static bool is_missing(long result) { return result == -ENOSYS || result == -EPERM; }

#define BY_PATH(call)                                                                                                  \
    ({                                                                                                                 \
        char path[320];                                                                                                \
        long result_ = entry_path(path, sizeof path, directory, name);                                                 \
        result_ < 0 ? result_ : RESULT(call);                                                                          \
    })

long cfs_list_attributes(int directory, const char *name, char *names, size_t count) {
    if (!name || !*name) return RESULT(flistxattr(directory, names, count));
    if (directory == AT_FDCWD) return RESULT(llistxattr(name, names, count));
    long result = RESULT(syscall(CALL_listxattrat, directory, name, AT_SYMLINK_NOFOLLOW, names, count));
    return is_missing(result) ? BY_PATH(llistxattr(path, names, count)) : result;
}

long cfs_read_attribute(int directory, const char *name, const char *attribute, void *value, size_t count) {
    if (!name || !*name) return RESULT(fgetxattr(directory, attribute, value, count));
    if (directory == AT_FDCWD) return RESULT(lgetxattr(name, attribute, value, count));
    struct attribute_arguments arguments = {.value = (uint64_t)(uintptr_t)value, .size = (uint32_t)count};
    long result = RESULT(
        syscall(CALL_getxattrat, directory, name, AT_SYMLINK_NOFOLLOW, attribute, &arguments, sizeof arguments));
    return is_missing(result) ? BY_PATH(lgetxattr(path, attribute, value, count)) : result;
}

int cfs_write_attribute(int directory, const char *name, const char *attribute, const void *value, size_t count) {
    if (!name || !*name) return RESULT(fsetxattr(directory, attribute, value, count, 0));
    struct attribute_arguments arguments = {.value = (uint64_t)(uintptr_t)value, .size = (uint32_t)count};
    long result = RESULT(
        syscall(CALL_setxattrat, directory, name, AT_SYMLINK_NOFOLLOW, attribute, &arguments, sizeof arguments));
    return is_missing(result) ? BY_PATH(lsetxattr(path, attribute, value, count, 0)) : result;
}

int cfs_remove_attribute(int directory, const char *name, const char *attribute) {
    if (!name || !*name) return RESULT(fremovexattr(directory, attribute));
    long result = RESULT(syscall(CALL_removexattrat, directory, name, AT_SYMLINK_NOFOLLOW, attribute));
    return is_missing(result) ? BY_PATH(lremovexattr(path, attribute)) : result;
}

// MARK: - Directories

enum { DIRECTORY_BUFFER = 32 * 1024 };

struct cfs_directory {
    int descriptor;
    long length, offset;
    char buffer[DIRECTORY_BUFFER] __attribute__((aligned(8)));
};

struct kernel_entry {
    uint64_t inode;
    int64_t offset;
    uint16_t size;
    uint8_t type;
    char name[];
};

cfs_directory *cfs_directory_take(int descriptor) {
    cfs_directory *directory = malloc(sizeof *directory);
    if (!directory) {
        close(descriptor);
        return NULL;
    }
    directory->descriptor = descriptor;
    directory->length = directory->offset = 0;
    if (!cfs_moves_access_times() && (fcntl(descriptor, F_GETFL) & O_NOATIME) == 0) note_access_time(descriptor, true);
    return directory;
}

static uint8_t kind_of_type(uint8_t type) { return type == 0 ? CFS_UNKNOWN : kind_of_mode((uint32_t)type << 12); }

int cfs_directory_next(cfs_directory *directory, cfs_entry *entry) {
    for (;;) {
        if (directory->offset >= directory->length) {
            long length = syscall(SYS_getdents64, directory->descriptor, directory->buffer, DIRECTORY_BUFFER);
            if (length <= 0) return length == 0 ? 0 : -errno;
            directory->length = length;
            directory->offset = 0;
        }
        struct kernel_entry *found = (struct kernel_entry *)(directory->buffer + directory->offset);
        directory->offset += found->size;
        const char *name = found->name;
        if (name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0))) continue;
        *entry = (cfs_entry){.name = name, .length = strlen(name), .kind = kind_of_type(found->type)};
        return 1;
    }
}

void cfs_directory_close(cfs_directory *directory) {
    close(directory->descriptor);
    free(directory);
}

int cfs_processor_count(void) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
    return CPU_COUNT(&allowed);
}

uint64_t cfs_random(void) {
    uint64_t number = 0;
    // getrandom waits until the source is initialized, and then returns eight bytes at once.
    while (getrandom(&number, sizeof number, 0) != sizeof number && errno == EINTR) {}
    return number;
}

uint64_t cfs_coarse_uptime_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const char *cfs_variable(size_t index) { return environ == NULL ? NULL : environ[index]; }
#endif
