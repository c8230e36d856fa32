// Opening, reading, writing, copying and flushing files.
#include "check.h"
#include <string.h>

static void check_content(int directory) {
    char text[16] = {0};
    int file = make_file(directory, "file", "0123456789");
    EQUAL(cfs_open_at(directory, "file", CFS_WRITE | CFS_CREATE_NEW, 0600), -EEXIST);
    EQUAL(cfs_open_at(directory, "missing", CFS_READ, 0), -ENOENT);
    EQUAL(cfs_read(file, text, 4, 3), 4);
    CHECK(memcmp(text, "3456", 4) == 0);
    EQUAL(cfs_write_at(file, "ab", 2, 8), 2);
    EQUAL(cfs_read(file, text, sizeof text, 0), 10);
    CHECK(memcmp(text, "01234567ab", 10) == 0);
    EQUAL(cfs_set_size(file, 1 << 20), 0);
    EQUAL(cfs_next_data(file, 0), 0);
    EQUAL(cfs_next_data(file, 1 << 20), -ENXIO);
    EQUAL(cfs_start_writing(file, 0, 10), 0);
    EQUAL(cfs_sync(file), 0);
    EQUAL(cfs_sync_data(file), 0);
    EQUAL(cfs_sync(directory), 0);
    SUCCEEDS_OR(cfs_sync_file_system(file), ENOTSUP);
    EQUAL(cfs_set_size(file, 10), 0);

    int end = cfs_open_at(directory, "file", CFS_WRITE | CFS_APPEND | CFS_NO_FOLLOW, 0);
    EQUAL(cfs_write(end, "c", 1), 1);
    EQUAL(cfs_close(end), 0);
    int again = cfs_open_at(directory, "file", CFS_READ | CFS_QUIETLY, 0);
    EQUAL(cfs_read_next(again, text, sizeof text), 11);
    EQUAL(cfs_read_next(again, text, sizeof text), 0);
    CHECK(text[10] == 'c');
    EQUAL(cfs_close(again), 0);

    memset(text, 0, sizeof text);
    EQUAL(cfs_read_stream(directory, "file", text, 3), 3);
    CHECK(strcmp(text, "012") == 0);
    EQUAL(cfs_read_stream(directory, "missing", text, 3), -ENOENT);
    EQUAL(cfs_close(file), 0);
    EQUAL(cfs_remove(directory, "file", false), 0);
}

static void check_resolution(int directory) {
    EQUAL(cfs_make_directory(directory, "folder", 0700), 0);
    EQUAL(cfs_make_link(directory, "link", "folder"), 0);
    EQUAL(cfs_open_at(directory, "link", CFS_READ | CFS_NO_FOLLOW, 0), -ELOOP);
    int followed = cfs_open_at(directory, "link", CFS_READ | CFS_AS_DIRECTORY, 0);
    CHECK(followed >= 0);
    cfs_close(followed);
    int beneath = cfs_open_beneath(directory, "folder", CFS_READ | CFS_AS_DIRECTORY, 0);
    if (IS_DARWIN) EQUAL(beneath, -ENOSYS);
    if (SUCCEEDS_OR(beneath, ENOSYS)) {
        EQUAL(cfs_close(beneath), 0);
        EQUAL(cfs_open_beneath(directory, "folder/../..", CFS_READ | CFS_AS_DIRECTORY, 0), -EXDEV);
        EQUAL(cfs_open_beneath(directory, "link", CFS_READ | CFS_NO_LINKS, 0), -ELOOP);
    }
    EQUAL(cfs_remove(directory, "link", false), 0);
    EQUAL(cfs_remove(directory, "folder", true), 0);
}

static void check_copies(int directory) {
    char text[8] = {0};
    int from = make_file(directory, "from", "content");
    int cloned = cfs_clone_file(from, directory, "clone");
    if (cloned == 0) {
        EQUAL(cfs_read_stream(directory, "clone", text, 7), 7);
        CHECK(memcmp(text, "content", 7) == 0);
        EQUAL(cfs_remove(directory, "clone", false), 0);
    } else {
        // APFS can; HFS+, tmpfs and ext4 cannot.
        CHECK(cloned == -EOPNOTSUPP || cloned == -ENOTSUP || cloned == -EXDEV || cloned == -EINVAL || cloned == -ENOTTY);
        EQUAL(cfs_remove(directory, "clone", false), -ENOENT);
    }
    int to = make_file(directory, "to", "");
    long count = cfs_copy_range(from, to, 0, 7);
    if (IS_DARWIN) EQUAL(count, -ENOTSUP);
    else CHECK(count == 7 || count == -EOPNOTSUPP || count == -ENOSYS || count == -EXDEV || count == -EINVAL);
    EQUAL(cfs_close(to), 0);
    EQUAL(cfs_close(from), 0);
    EQUAL(cfs_remove(directory, "to", false), 0);
    EQUAL(cfs_remove(directory, "from", false), 0);
}

void check_files(int directory) {
    EQUAL(cfs_leave_files_untouched(), 0);
    CHECK(!IS_DARWIN || !cfs_moves_access_times());
    (void)cfs_moves_access_times();
    EQUAL(cfs_marks_evicted_files(), IS_DARWIN);
    EQUAL(IS_DARWIN ? cfs_work_in(directory) : directory, directory);
    check_content(directory);
    check_resolution(directory);
    check_copies(directory);
}

void check_memory(int directory) {
    int file = make_file(directory, "mapped", "mapped text");
    void *address = NULL;
    EQUAL(cfs_map(file, 11, &address), 0);
    if (address != NULL) {
        CHECK(memcmp(address, "mapped text", 11) == 0);
        cfs_unmap(address, 11);
    }
    EQUAL(cfs_close(file), 0);
    EQUAL(cfs_map(file, 11, &address), -EBADF);
    EQUAL(cfs_remove(directory, "mapped", false), 0);
    CHECK(cfs_can_allocate(1 << 20));
    CHECK(!cfs_can_allocate(SIZE_MAX / 2));

    // One marked sequence, "abc", whose bit is that of the upper half of its product.
    static uint8_t table[8192];
    const uint32_t word = 'a' | 'b' << 8 | 'c' << 16, hash = (word * UINT32_C(2654435761)) >> 16;
    table[hash >> 3] |= (uint8_t)(1u << (hash & 7));
    EQUAL(cfs_next_marked(table, "xxabcx", 0, 6), 2);
    EQUAL(cfs_next_marked(table, "xxabcx", 3, 6), 6);

    static uint64_t gears[256];
    gears['b'] = 1;
    // The sum is not divisible by 2 after a `b`, until the next byte doubles it.
    EQUAL(cfs_next_division(gears, 1, "bbba", 1, 4), 4);
    EQUAL(cfs_next_division(gears, 1, "aaaa", 1, 4), 1);
}
