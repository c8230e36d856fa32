#ifdef __APPLE__
#include "CFileSystem.h"
#include "kind.h"
#include <copyfile.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/param.h>
#include <string.h>
#include <sys/clonefile.h>
#include <sys/acl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

// Written according to Apple's man pages. This project's CI does not run on Apple systems yet.

const char *const cfs_attribute_prefix = "";

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

int cfs_open_beneath(int directory, const char *path, int how, uint32_t permissions) {
    (void)directory, (void)path, (void)how, (void)permissions;
    return -ENOSYS;
}

bool cfs_moves_access_times(void) { return false; }

int cfs_lock_holder(uint64_t device, uint64_t inode) {
    (void)device, (void)inode;
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
    (void)descriptor;
    return -ENOTSUP;
}

int cfs_rename_new(int from_directory, const char *from, int to_directory, const char *to) {
    return renameatx_np(from_directory, from, to_directory, to, RENAME_EXCL) == 0 ? 0 : -errno;
}

int cfs_exchange(int from_directory, const char *from, int to_directory, const char *to) {
    return renameatx_np(from_directory, from, to_directory, to, RENAME_SWAP) == 0 ? 0 : -errno;
}

int cfs_clone_file(int from, int to_directory, const char *to) {
    return fclonefileat(from, to_directory, to, CLONE_NOFOLLOW) == 0 ? 0 : -errno;
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

int cfs_current_directory(void) { return AT_FDCWD; }
int cfs_work_in(int directory) { return directory; }

/// Returns a descriptor of the entry itself, without following links. The caller closes it unless it is `directory`.
static int open_entry(int directory, const char *name) {
    if (!name || !*name) return directory;
    int descriptor = openat(directory, name, O_RDONLY | O_SYMLINK | O_NONBLOCK | O_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

#define ON_ENTRY(call)                                                                                                 \
    ({                                                                                                                 \
        int entry = open_entry(directory, name);                                                                       \
        long result_ = entry < 0 ? entry : (call);                                                                     \
        if (entry >= 0 && result_ < 0) result_ = -errno;                                                               \
        if (entry >= 0 && entry != directory) close(entry);                                                            \
        result_;                                                                                                       \
    })

long cfs_list_attributes(int directory, const char *name, char *names, size_t count) {
    return ON_ENTRY(flistxattr(entry, names, count, 0));
}
long cfs_read_attribute(int directory, const char *name, const char *attribute, void *value, size_t count) {
    long result = ON_ENTRY(fgetxattr(entry, attribute, value, count, 0, 0));
    return result == -ENOATTR ? -ENODATA : result;
}
int cfs_write_attribute(int directory, const char *name, const char *attribute, const void *value, size_t count) {
    return (int)ON_ENTRY(fsetxattr(entry, attribute, value, count, 0, 0));
}
int cfs_remove_attribute(int directory, const char *name, const char *attribute) {
    int result = (int)ON_ENTRY(fremovexattr(entry, attribute, 0));
    return result == -ENOATTR ? -ENODATA : result;
}

int cfs_copy_attributes(int from, int to, bool *has_access_list) {
    *has_access_list = true;
    return fcopyfile(from, to, NULL, COPYFILE_XATTR) == 0 ? 0 : -errno;
}
int cfs_copy_access_list(int from, int to) { return fcopyfile(from, to, NULL, COPYFILE_ACL) == 0 ? 0 : -errno; }
int cfs_remove_access_list(int descriptor) {
    acl_t none = acl_init(1);
    if (!none) return -errno;
    int result = acl_set_fd_np(descriptor, none, ACL_TYPE_EXTENDED) == 0 || errno == ENOTSUP ? 0 : -errno;
    acl_free(none);
    return result;
}

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
#endif
