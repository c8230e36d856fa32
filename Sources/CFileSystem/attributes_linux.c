#ifdef __linux__
#include "CFileSystem.h"
#include <attr/error_context.h>
#include <attr/libattr.h>
#include <errno.h>
#include <string.h>
#include <sys/xattr.h>

static const char access_list[] = "system.posix_acl_access";
static const char default_list[] = "system.posix_acl_default";
static const char labels[] = "security.";

/// The context of libattr's callbacks: the selection of attributes, and the first failure.
struct copying {
    struct error_context base; // must be first: libattr passes the address of this member
    enum { CONTENTS, LABELS, LISTS } pass;
    bool has_list, has_label;
    int failure;
};

static bool is_list(const char *name) { return strcmp(name, access_list) == 0 || strcmp(name, default_list) == 0; }
static bool is_label(const char *name) { return strncmp(name, labels, sizeof labels - 1) == 0; }

static int is_wanted(const char *name, struct error_context *context) {
    struct copying *copying = (struct copying *)context;
    if (is_list(name)) copying->has_list = true;
    else if (is_label(name)) copying->has_label = true;
    switch (copying->pass) {
    case LISTS: return is_list(name);
    case LABELS: return is_label(name);
    default: return !is_list(name) && !is_label(name);
    }
}

static void note_failure(struct error_context *context, const char *format, ...) {
    (void)format;
    struct copying *copying = (struct copying *)context;
    if (copying->failure == 0) copying->failure = errno ? errno : EIO;
}
static const char *quote(struct error_context *context, const char *text) {
    (void)context;
    return text;
}
static void quote_free(struct error_context *context, const char *text) {
    (void)context;
    (void)text;
}

static int run(struct copying *copying, int from, int to) {
    copying->base = (struct error_context){.error = note_failure, .quote = quote, .quote_free = quote_free};
    copying->failure = 0;
    errno = 0;
    if (attr_copy_fd("", from, "", to, is_wanted, &copying->base) == 0) return 0;
    return copying->failure ? -copying->failure : -EIO;
}

int cfs_copy_attributes(int from, int to, bool *has_access_list) {
    struct copying copying = {.pass = CONTENTS};
    int result = run(&copying, from, to);
    *has_access_list = copying.has_list;
    if (result != 0 || !copying.has_label) return result;
    // The security policy assigns a label to the new file. The old label is copied only if the policy allows it.
    copying.pass = LABELS;
    run(&copying, from, to);
    return 0;
}

int cfs_copy_access_list(int from, int to) {
    struct copying copying = {.pass = LISTS};
    return run(&copying, from, to);
}

static int remove_list(int descriptor, const char *name) {
    // Checked first: most files have no list, and removing a missing one still writes to the journal of ext4.
    if (fgetxattr(descriptor, name, NULL, 0) >= 0 && fremovexattr(descriptor, name) == 0) return 0;
    // The list is missing, or unsupported by the file system, or only possible for directories.
    const bool is_none = errno == ENODATA || errno == EOPNOTSUPP || (errno == EACCES && name == default_list);
    return is_none ? 0 : -errno;
}

int cfs_remove_access_list(int descriptor) {
    const int result = remove_list(descriptor, access_list);
    return result != 0 ? result : remove_list(descriptor, default_list);
}

#endif
