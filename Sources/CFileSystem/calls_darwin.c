#ifdef __APPLE__
#include "CFileSystem.h"
#include "kind.h"
#include "steps.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/clonefile.h>
#include <sys/mount.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Written according to Apple's man pages and open source. `scripts/check-darwin-c` compiles and links it on Linux with
// Apple's headers; no Apple compiler has compiled it yet.

static cfs_time time_of(struct timespec stamp) {
    return (cfs_time){.seconds = stamp.tv_sec, .nanoseconds = (uint32_t)stamp.tv_nsec};
}

int cfs_status_at(int directory, const char *name, cfs_status *status) {
    struct stat found;
    int result = *name ? fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) : fstat(directory, &found);
    if (result != 0) return -errno;
    *status = (cfs_status){
        .kind = kind_of_mode(found.st_mode),
        .no_dump = (found.st_flags & UF_NODUMP) != 0,
        .has_birth = true,
        .dataless = (found.st_flags & SF_DATALESS) != 0,
        .permissions = found.st_mode & 07777,
        .links = found.st_nlink,
        .user = found.st_uid,
        .group = found.st_gid,
        .size = (uint64_t)found.st_size,
        .allocated = (uint64_t)found.st_blocks * 512,
        .inode = found.st_ino,
        .device = (uint64_t)found.st_dev,
        .accessed = time_of(found.st_atimespec),
        .modified = time_of(found.st_mtimespec),
        .changed = time_of(found.st_ctimespec),
        .birth = time_of(found.st_birthtimespec),
    };
    return 0;
}

int cfs_open_at(int directory, const char *path, int how, uint32_t permissions) {
    int flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    if ((how & CFS_READ) && (how & CFS_WRITE)) flags |= O_RDWR;
    else if (how & CFS_WRITE) flags |= O_WRONLY;
    else flags |= O_RDONLY;
    if (how & CFS_CREATE_NEW) flags |= O_CREAT | O_EXCL;
    if (how & CFS_AS_DIRECTORY) flags |= O_DIRECTORY;
    if (how & CFS_NO_FOLLOW) flags |= O_NOFOLLOW;
    if (how & CFS_APPEND) flags |= O_APPEND;
    int descriptor = openat(directory, path, flags, (mode_t)permissions);
    return descriptor < 0 ? -errno : descriptor;
}

// O_RESOLVE_BENEATH would do this since macOS 15, but older kernels ignore unknown flags and would follow links out of the
// directory. O_NOFOLLOW_ANY also refuses links within the directory, and fails with EINVAL together with O_NOFOLLOW.
// Without this call, paths are opened component by component with O_NOFOLLOW.
int cfs_open_beneath(int directory, const char *path, int how, uint32_t permissions) {
    (void)directory, (void)path, (void)how, (void)permissions;
    return -ENOSYS;
}

static atomic_bool preserves_access_times;

bool cfs_moves_access_times(void) { return !atomic_load_explicit(&preserves_access_times, memory_order_relaxed); }

bool cfs_marks_evicted_files(void) { return true; }

// Both policies apply to all threads. Source: setiopolicy_np(3).
int cfs_leave_files_untouched(void) {
    const bool is_preserved =
        setiopolicy_np(IOPOL_TYPE_VFS_ATIME_UPDATES, IOPOL_SCOPE_PROCESS, IOPOL_ATIME_UPDATES_OFF) == 0;
    atomic_store_explicit(&preserves_access_times, is_preserved, memory_order_relaxed);
    const int result = setiopolicy_np(
        IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES, IOPOL_SCOPE_PROCESS, IOPOL_MATERIALIZE_DATALESS_FILES_OFF);
    return result == 0 ? 0 : -errno;
}

int cfs_lock_holder(uint64_t device, uint64_t inode, int preferred) {
    (void)device, (void)inode, (void)preferred;
    return 0; // the system does not provide it
}

int cfs_sync(int descriptor) {
    if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
    // A file system without F_FULLFSYNC, such as a network share.
    if (errno == ENOTSUP || errno == EINVAL || errno == ENOTTY) return fsync(descriptor) == 0 ? 0 : -errno;
    return -errno;
}

int cfs_sync_data(int descriptor) { return cfs_sync(descriptor); }

int cfs_protection_class(int descriptor) {
    int found = fcntl(descriptor, F_GETPROTECTIONCLASS);
    return found >= 0 ? found : -errno;
}

int cfs_set_protection_class(int descriptor, int protection_class) {
    return fcntl(descriptor, F_SETPROTECTIONCLASS, protection_class) == 0 ? 0 : -errno;
}

int cfs_sync_file_system(int descriptor) {
    return fsync_volume_np(descriptor, SYNC_VOLUME_FULLSYNC | SYNC_VOLUME_WAIT) == 0 ? 0 : -errno;
}

int cfs_rename_new(int from_directory, const char *from, int to_directory, const char *to) {
    if (renameatx_np(from_directory, from, to_directory, to, RENAME_EXCL) == 0) return 0;
    const int error = errno;
    if (error == EEXIST && is_other_spelling(from_directory, from, to_directory, to))
        return cfs_rename(from_directory, from, to_directory, to);
    // exFAT, FAT and SMB volumes have no exclusive rename (VOL_CAP_INT_RENAME_EXCL).
    const bool is_unsupported = error == ENOTSUP || error == EOPNOTSUPP || error == EINVAL;
    return is_unsupported ? rename_new_in_steps(from_directory, from, to_directory, to) : -error;
}

int cfs_exchange(int from_directory, const char *from, int to_directory, const char *to) {
    return renameatx_np(from_directory, from, to_directory, to, RENAME_SWAP) == 0 ? 0 : -errno;
}

int cfs_clone_file(int from, int to_directory, const char *to) {
    return fclonefileat(from, to_directory, to, CLONE_NOFOLLOW) == 0 ? 0 : -errno;
}

// Darwin copies ranges only by cloning whole files.
long cfs_copy_range(int from, int to, uint64_t offset, size_t count) {
    (void)from, (void)to, (void)offset, (void)count;
    return -ENOTSUP;
}

int cfs_path_of(int directory, char *path, size_t count) {
    if (count < MAXPATHLEN) return -ENAMETOOLONG;
    return fcntl(directory, F_GETPATH, path) == 0 ? 0 : -errno;
}

int cfs_start_writing(int descriptor, uint64_t offset, uint64_t count) {
    (void)descriptor, (void)offset, (void)count;
    return 0;
}

int cfs_set_no_dump(int descriptor) {
    struct stat found;
    if (fstat(descriptor, &found) != 0) return -errno;
    return fchflags(descriptor, found.st_flags | UF_NODUMP) == 0 ? 0 : -errno;
}

// The counts of statvfs have 32 bits on Darwin.
int cfs_space_of(int descriptor, cfs_space *space) {
    struct statfs found;
    if (fstatfs(descriptor, &found) != 0) return -errno;
    *space = (cfs_space){
        .total = found.f_blocks * found.f_bsize,
        .free = found.f_bfree * found.f_bsize,
        .available = found.f_bavail * found.f_bsize,
    };
    return 0;
}

int cfs_distinguishes_case(int directory) {
    errno = 0;
    const long result = fpathconf(directory, _PC_CASE_SENSITIVE);
    if (result >= 0) return result != 0;
    return errno ? -errno : -ENOTSUP;
}

int cfs_current_directory(void) { return AT_FDCWD; }
int cfs_work_in(int directory) { return directory; }

struct cfs_directory {
    DIR *stream;
};

cfs_directory *cfs_directory_take(int descriptor) {
    cfs_directory *directory = malloc(sizeof *directory);
    DIR *stream = directory ? fdopendir(descriptor) : NULL;
    if (!stream) {
        free(directory);
        close(descriptor);
        return NULL;
    }
    directory->stream = stream;
    return directory;
}

int cfs_directory_next(cfs_directory *directory, cfs_entry *entry) {
    for (;;) {
        errno = 0;
        struct dirent *found = readdir(directory->stream);
        if (!found) return errno ? -errno : 0;
        const char *name = found->d_name;
        if (name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0))) continue;
        uint8_t kind = found->d_type == DT_UNKNOWN ? CFS_UNKNOWN : kind_of_mode(DTTOIF(found->d_type));
        *entry = (cfs_entry){.name = name, .length = found->d_namlen, .kind = kind};
        return 1;
    }
}

void cfs_directory_close(cfs_directory *directory) {
    closedir(directory->stream);
    free(directory);
}

int cfs_processor_count(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }

uint64_t cfs_random(void) {
    uint64_t number;
    arc4random_buf(&number, sizeof number);
    return number;
}

uint64_t cfs_coarse_uptime_nanoseconds(void) { return clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW_APPROX); }

// `environ` is not visible to dynamic libraries.
extern char ***_NSGetEnviron(void);

const char *cfs_variable(size_t index) {
    char **variables = *_NSGetEnviron();
    return variables == NULL ? NULL : variables[index];
}
#endif
