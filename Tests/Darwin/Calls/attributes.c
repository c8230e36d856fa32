// Extended attributes and access lists.
#include "check.h"
#include <stdio.h>
#include <string.h>

/// The full name of an attribute of the user.
static const char *attribute(const char *name) {
    static char text[64];
    snprintf(text, sizeof text, "%s%s", cfs_attribute_prefix, name);
    return text;
}

/// True if a list of names, each with a NUL, contains a name.
static bool contains(const char *names, long count, const char *name) {
    for (long start = 0; start < count; start += (long)strlen(names + start) + 1)
        if (strcmp(names + start, name) == 0) return true;
    return false;
}

#ifdef __APPLE__
// The kernel reads and writes a resource fork at a position, and reads it in part without an error.
static void check_resource_fork(int directory) {
    static const char fork[] = "com.apple.ResourceFork";
    static char value[1 << 20], read[1 << 20];
    memset(value, 'r', sizeof value);
    EQUAL(cfs_write_attribute(directory, "file", fork, value, sizeof value), 0);
    EQUAL(cfs_read_attribute(directory, "file", fork, read, 100), -ERANGE);
    EQUAL(cfs_read_attribute(directory, "file", fork, read, sizeof read), (long long)sizeof read);
    CHECK(memcmp(read, value, sizeof read) == 0);
    EQUAL(cfs_write_attribute(directory, "file", fork, "short", 5), 0);
    EQUAL(cfs_read_attribute(directory, "file", fork, NULL, 0), 5);
    EQUAL(cfs_remove_attribute(directory, "file", fork), 0);
}
#endif

void check_attributes(int directory) {
    char names[4096], value[64];
    int file = make_file(directory, "file", "text");
    const long others = cfs_list_attributes(directory, "file", names, sizeof names);
    CHECK(others >= 0);
    EQUAL(cfs_read_attribute(directory, "file", attribute("test"), value, sizeof value), -ENODATA);
    const int written = cfs_write_attribute(directory, "file", attribute("test"), "value", 5);
    if (!SUCCEEDS_OR(written, EOPNOTSUPP)) {
        fprintf(stderr, "note: the file system stores no attributes, so they are not tested\n");
    } else {
        EQUAL(cfs_read_attribute(directory, "file", attribute("test"), value, sizeof value), 5);
        CHECK(memcmp(value, "value", 5) == 0);
        EQUAL(cfs_read_attribute(file, NULL, attribute("test"), NULL, 0), 5);
        EQUAL(cfs_read_attribute(file, "", attribute("test"), value, 2), -ERANGE);
        EQUAL(cfs_write_attribute(file, NULL, attribute("test"), "other", 5), 0);
        const long count = cfs_list_attributes(directory, "file", names, sizeof names);
        EQUAL(count, others + (long)strlen(attribute("test")) + 1);
        CHECK(contains(names, count, attribute("test")));
        EQUAL(cfs_list_attributes(directory, "file", NULL, 0), count);

        int copy = make_file(directory, "copy", "");
        bool has_list = true;
        EQUAL(cfs_copy_attributes(file, copy, &has_list), 0);
        CHECK(!has_list);
        EQUAL(cfs_read_attribute(copy, NULL, attribute("test"), value, sizeof value), 5);
        CHECK(memcmp(value, "other", 5) == 0);
        EQUAL(cfs_copy_access_list(file, copy), 0);
        EQUAL(cfs_remove_access_list(copy), 0);
        EQUAL(cfs_close(copy), 0);
        EQUAL(cfs_remove(directory, "copy", false), 0);

        EQUAL(cfs_remove_attribute(directory, "file", attribute("test")), 0);
        EQUAL(cfs_remove_attribute(directory, "file", attribute("test")), -ENODATA);
        EQUAL(cfs_list_attributes(directory, "file", NULL, 0), others);
#ifdef __APPLE__
        check_resource_fork(directory);
#endif
    }
    // A link has attributes of its own, and is not followed.
    EQUAL(cfs_make_link(directory, "link", "file"), 0);
    CHECK(cfs_list_attributes(directory, "link", names, sizeof names) >= 0);
    EQUAL(cfs_remove(directory, "link", false), 0);
    EQUAL(cfs_close(file), 0);
    EQUAL(cfs_remove(directory, "file", false), 0);
}
