// Renaming, linking and listing entries, and their properties.
#include "check.h"
#include <string.h>
#include <sys/stat.h>

static int exists(int directory, const char *name) {
    cfs_status status;
    return cfs_status_at(directory, name, &status) == 0;
}

void check_names(int directory) {
    char target[64] = {0};
    cfs_close(make_file(directory, "a", "a"));
    cfs_close(make_file(directory, "b", "bb"));
    EQUAL(cfs_rename_new(directory, "a", directory, "b"), -EEXIST);
    EQUAL(cfs_rename_new(directory, "a", directory, "c"), 0);
    CHECK(!exists(directory, "a") && exists(directory, "c"));
    if (SUCCEEDS_OR(cfs_exchange(directory, "b", directory, "c"), ENOTSUP)) {
        cfs_status status;
        EQUAL(cfs_status_at(directory, "b", &status), 0);
        EQUAL(status.size, 1);
    }
    EQUAL(cfs_rename(directory, "b", directory, "c"), 0);
    CHECK(!exists(directory, "b"));

    EQUAL(cfs_add_name(directory, "c", directory, "d"), 0);
    EQUAL(cfs_make_link(directory, "link", "c"), 0);
    EQUAL(cfs_read_link(directory, "link", target, sizeof target), 1);
    CHECK(strcmp(target, "c") == 0);
    EQUAL(cfs_read_link(directory, "c", target, sizeof target), -EINVAL);
    EQUAL(cfs_make_fifo(directory, "fifo", 0600), 0);
    EQUAL(cfs_make_directory(directory, "folder", 0700), 0);
    EQUAL(cfs_make_directory(directory, "folder", 0700), -EEXIST);

    cfs_status status;
    EQUAL(cfs_status_at(directory, "c", &status), 0);
    EQUAL(status.links, 2);
    EQUAL(status.kind, CFS_FILE);
    EQUAL(cfs_status_at(directory, "link", &status), 0);
    EQUAL(status.kind, CFS_SYMBOLIC_LINK);
    EQUAL(cfs_status_at(directory, "fifo", &status), 0);
    EQUAL(status.kind, CFS_FIFO);
    EQUAL(cfs_status_at(directory, "", &status), 0);
    EQUAL(status.kind, CFS_DIRECTORY);

    const char *const names[] = {"c", "d", "link", "fifo"};
    EQUAL(cfs_remove(directory, "folder", false) != 0, 1);
    for (int index = 0; index < 4; index++) EQUAL(cfs_remove(directory, names[index], false), 0);
    EQUAL(cfs_remove(directory, "folder", true), 0);
    EQUAL(cfs_remove(directory, "folder", true), -ENOENT);
}

static void check_times(int directory, int file) {
    cfs_status status;
    const cfs_time accessed = {.seconds = 1000000000, .nanoseconds = 123456000};
    const cfs_time modified = {.seconds = 1700000000, .nanoseconds = 987654000};
    EQUAL(cfs_set_times(file, accessed, modified), 0);
    EQUAL(cfs_status_at(file, "", &status), 0);
    EQUAL(status.accessed.seconds, accessed.seconds);
    EQUAL(status.modified.seconds, modified.seconds);
    EQUAL(status.modified.nanoseconds, modified.nanoseconds);
    EQUAL(cfs_make_link(directory, "link", "file"), 0);
    EQUAL(cfs_set_link_times(directory, "link", accessed, accessed), 0);
    EQUAL(cfs_status_at(directory, "link", &status), 0);
    EQUAL(status.modified.seconds, accessed.seconds);
    EQUAL(cfs_set_link_owner(directory, "link", status.user, status.group), 0);
    EQUAL(cfs_remove(directory, "link", false), 0);
}

void check_properties(int directory) {
    cfs_status status;
    int file = make_file(directory, "file", "text");
    EQUAL(cfs_status_at(file, "", &status), 0);
    EQUAL(status.size, 4);
    EQUAL(status.permissions, 0600);
    CHECK(status.inode != 0 && !status.dataless);
    CHECK(!IS_DARWIN || status.has_birth);
    EQUAL(status.user, cfs_user());
    EQUAL(cfs_set_owner(file, status.user, status.group), 0);
    EQUAL(cfs_set_permissions(file, 0640), 0);
    EQUAL(cfs_set_permissions_at(directory, "file", 0400), 0);
    EQUAL(cfs_status_at(directory, "file", &status), 0);
    EQUAL(status.permissions, 0400);
    EQUAL(cfs_make_directory(directory, "folder", 0700), 0);
    EQUAL(cfs_set_permissions_of_directory(directory, "folder", 0710), 0);
    EQUAL(cfs_status_at(directory, "folder", &status), 0);
    EQUAL(status.permissions, 0710);
    EQUAL(cfs_remove(directory, "folder", true), 0);
    check_times(directory, file);
    // Not each file system of Linux has flags.
    const int no_dump = cfs_set_no_dump(file);
    CHECK(no_dump == 0 || no_dump == -EOPNOTSUPP || no_dump == -ENOTTY);
    EQUAL(cfs_status_at(file, "", &status), 0);
    CHECK(status.no_dump || no_dump != 0);

    cfs_space space;
    EQUAL(cfs_space_of(file, &space), 0);
    CHECK(space.total > 0 && space.free <= space.total && space.available <= space.total);
    char path[4096];
    EQUAL(cfs_path_of(directory, path, sizeof path), 0);
    CHECK(path[0] == '/' && strstr(path, "calls-") != NULL);
    const int distinguishes = cfs_distinguishes_case(directory);
    CHECK(distinguishes == 0 || distinguishes == 1 || distinguishes == -ENOTSUP);
    if (distinguishes >= 0) EQUAL(exists(directory, "FILE"), !distinguishes);
    // An emulated or external disk of a Mac has no protection classes, nor has Linux.
    const int protection = cfs_protection_class(file);
    CHECK(protection == -ENOTSUP || (IS_DARWIN && (protection >= 0 || protection == -EINVAL)));
    const int set = cfs_set_protection_class(file, 3);
    CHECK(set == -ENOTSUP || (IS_DARWIN && (set == 0 || set == -EINVAL)));
    EQUAL(cfs_close(file), 0);
    EQUAL(cfs_remove(directory, "file", false), 0);
}

void check_listing(int directory) {
    EQUAL(cfs_make_directory(directory, "folder", 0700), 0);
    cfs_close(make_file(directory, "file", ""));
    cfs_directory *listing =
        cfs_directory_take(cfs_open_at(directory, ".", CFS_READ | CFS_AS_DIRECTORY | CFS_NO_FOLLOW, 0));
    CHECK(listing != NULL);
    if (listing == NULL) return;
    int files = 0, folders = 0, others = 0;
    cfs_entry entry;
    while (cfs_directory_next(listing, &entry) == 1) {
        if (entry.kind == CFS_FILE && entry.length == 4 && strcmp(entry.name, "file") == 0) files++;
        else if (entry.kind == CFS_DIRECTORY && strcmp(entry.name, "folder") == 0) folders++;
        else others++;
    }
    cfs_directory_close(listing);
    CHECK(files == 1 && folders == 1 && others == 0);
    EQUAL(cfs_remove(directory, "file", false), 0);
    EQUAL(cfs_remove(directory, "folder", true), 0);
}
