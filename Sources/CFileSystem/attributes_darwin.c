#ifdef __APPLE__
#include "CFileSystem.h"
#include <copyfile.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/acl.h>
#include <sys/attr.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

const char *const cfs_attribute_prefix = "";

// MARK: - Extended attributes

/// Returns a descriptor of the entry itself, without following links. The caller closes it unless it is `directory`.
/// With O_EVTONLY, a file need not be readable: the kernel checks the right to read attributes with each call.
static int open_entry(int directory, const char *name, int access) {
    if (!name || !*name) return directory;
    int descriptor = openat(directory, name, access | O_SYMLINK | O_NONBLOCK | O_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

#define ON_ENTRY(access, call)                                                                                         \
    ({                                                                                                                 \
        int entry = open_entry(directory, name, access);                                                               \
        long result_ = entry < 0 ? entry : (call);                                                                     \
        if (entry >= 0 && result_ < 0) result_ = -errno;                                                               \
        if (entry >= 0 && entry != directory) close(entry);                                                            \
        result_ == -ENOATTR ? -ENODATA : result_;                                                                      \
    })

/// Returns true if an entry certainly has no attributes, without opening it. Most entries have none.
static bool has_none(int directory, const char *name) {
    struct attrlist wanted = {
        .bitmapcount = ATTR_BIT_MAP_COUNT, .commonattr = ATTR_CMN_RETURNED_ATTRS, .forkattr = ATTR_CMNEXT_EXT_FLAGS};
    struct {
        uint32_t length;
        attribute_set_t returned;
        uint64_t flags;
    } __attribute__((aligned(4), packed)) found;
    if (getattrlistat(directory, name, &wanted, &found, sizeof found, FSOPT_NOFOLLOW | FSOPT_ATTR_CMN_EXTENDED) != 0)
        return false;
    return found.length >= sizeof found && (found.returned.forkattr & ATTR_CMNEXT_EXT_FLAGS) &&
        (found.flags & EF_NO_XATTRS);
}

long cfs_list_attributes(int directory, const char *name, char *names, size_t count) {
    if (name && *name && has_none(directory, name)) return 0;
    return ON_ENTRY(O_EVTONLY, flistxattr(entry, names, count, 0));
}

/// Reads a value. For a buffer that is too small, the kernel reads the start of a resource fork and reports success, so the
/// size is read first.
static long read_value(int entry, const char *attribute, void *value, size_t count) {
    const ssize_t size = fgetxattr(entry, attribute, NULL, 0, 0, 0);
    if (size < 0 || count == 0) return size;
    if ((size_t)size > count) {
        errno = ERANGE;
        return -1;
    }
    // Only a resource fork may be read in pieces, at a position.
    const bool has_position = strcmp(attribute, XATTR_RESOURCEFORK_NAME) == 0;
    ssize_t filled = 0;
    while (filled < size) {
        const ssize_t result = fgetxattr(
            entry, attribute, (char *)value + filled, count - (size_t)filled, has_position ? (uint32_t)filled : 0, 0);
        if (result < 0) return result;
        filled += result;
        if (result == 0 || !has_position) break;
    }
    return filled;
}

long cfs_read_attribute(int directory, const char *name, const char *attribute, void *value, size_t count) {
    return ON_ENTRY(O_EVTONLY, read_value(entry, attribute, value, count));
}

/// Writes a value. The kernel does not truncate a longer resource fork, so it is removed first.
static int write_value(int entry, const char *attribute, const void *value, size_t count) {
    if (strcmp(attribute, XATTR_RESOURCEFORK_NAME) == 0) {
        const ssize_t size = fgetxattr(entry, attribute, NULL, 0, 0, 0);
        if (size > 0 && (size_t)size > count && fremovexattr(entry, attribute, 0) != 0) return -1;
    }
    return fsetxattr(entry, attribute, value, count, 0, 0);
}

int cfs_write_attribute(int directory, const char *name, const char *attribute, const void *value, size_t count) {
    return (int)ON_ENTRY(O_RDONLY, write_value(entry, attribute, value, count));
}

int cfs_remove_attribute(int directory, const char *name, const char *attribute) {
    return (int)ON_ENTRY(O_RDONLY, fremovexattr(entry, attribute, 0));
}

// MARK: - Access lists

static bool is_unsupported(int error) { return error == ENOTSUP || error == EOPNOTSUPP; }

/// Returns the access list of a file or directory, which the caller frees. Returns NULL with an errno of 0 if it has none
/// or the volume stores none.
static acl_t access_list(int descriptor) {
    acl_t list = acl_get_fd_np(descriptor, ACL_TYPE_EXTENDED);
    if (list) return list;
    if (errno == ENOENT || is_unsupported(errno)) errno = 0;
    return NULL;
}

int cfs_copy_attributes(int from, int to, bool *has_access_list) {
    acl_t list = access_list(from);
    if (!list && errno != 0) return -errno;
    *has_access_list = list != NULL;
    if (list) acl_free(list);
    return fcopyfile(from, to, NULL, COPYFILE_XATTR) == 0 ? 0 : -errno;
}

// fcopyfile(COPYFILE_ACL) reports success if the list could not be set.
int cfs_copy_access_list(int from, int to) {
    acl_t list = access_list(from);
    if (!list) return -errno;
    const int result = acl_set_fd_np(to, list, ACL_TYPE_EXTENDED) == 0 ? 0 : -errno;
    acl_free(list);
    return result;
}

int cfs_remove_access_list(int descriptor) {
    acl_t list = access_list(descriptor);
    if (!list) return -errno;
    acl_free(list);
    // An empty list would remain a list. This is the request of chmod -N.
    filesec_t security = filesec_init();
    if (!security) return -errno;
    const bool is_removed = filesec_set_property(security, FILESEC_ACL, _FILESEC_REMOVE_ACL) == 0 &&
        fchmodx_np(descriptor, security) == 0;
    const int result = is_removed ? 0 : -errno;
    filesec_free(security);
    if (result != 0) return result;
    list = access_list(descriptor);
    if (!list) return -errno;
    acl_free(list);
    return -EIO;
}
#endif
