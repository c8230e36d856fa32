// generate-container: creates a large app container for benchmarks. Equal seeds result in equal trees.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "names.h"
#include "random.h"

enum { FILES_PER_DIRECTORY = 500, FLAGGED_ONE_IN = 20, FILLED_ONE_IN = 10 };

// 2026-01-01T00:00:00Z, so that a run with `--now 2026-01-01` always computes the same ages.
static const int64_t newest_time = 1767225600;
static const uint64_t age_span = 30 * 24 * 60 * 60;

struct location {
    const char *path;
    bool caches;
};

// A directory comes after its parent.
static const struct location locations[] = {
    {"Documents", false},
    {"Library/Application Support/com.example.bench", false},
    {"Library/Application Support/com.example.bench/Attachments", false},
    {"Library/Caches/com.example.bench", true},
    {"Library/Caches/com.example.bench/images", true},
    {"Library/Preferences", false},
    {"Library/Cookies", false},
    {"Library/WebKit", false},
    {"Library/Saved Application State", false},
    {"Documents/Inbox", false},
    {"tmp", false},
    {"tmp/exports", false},
};
enum { LOCATIONS = sizeof locations / sizeof locations[0] };

static const char *const parents[] = {"Library", "Library/Application Support", "Library/Caches"};
enum { PARENTS = sizeof parents / sizeof parents[0] };

static const char metadata_name[] = ".com.apple.mobile_container_manager.metadata.plist";
static const char metadata[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
    "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
    "<plist version=\"1.0\">\n"
    "<dict>\n"
    "\t<key>MCMMetadataIdentifier</key>\n"
    "\t<string>com.example.bench</string>\n"
    "</dict>\n"
    "</plist>\n";

static const char flag_name[] = "user.com.apple.metadata:com_apple_backup_excludeItem";

// A binary property list with the string `com.apple.backupd`.
static const unsigned char flag_value[61] = {
    0x62, 0x70, 0x6c, 0x69, 0x73, 0x74, 0x30, 0x30, 0x5f, 0x10, 0x11, 0x63, 0x6f, 0x6d, 0x2e, 0x61,
    0x70, 0x70, 0x6c, 0x65, 0x2e, 0x62, 0x61, 0x63, 0x6b, 0x75, 0x70, 0x64, 0x08, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1c,
};

struct generator {
    int root;
    struct random random;
    uint64_t index;
    uint64_t flagged_index;
};

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "generate-container: %s: %s\n", what, strerror(errno));
    exit(1);
}

static _Noreturn void refuse(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("generate-container: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

static struct timespec seeded_time(struct generator *generator) {
    const uint64_t age = 1 + random_below(&generator->random, age_span);
    return (struct timespec){.tv_sec = (time_t)(newest_time - (int64_t)age), .tv_nsec = 0};
}

static void write_all(int file, const void *bytes, size_t length) {
    const char *rest = bytes;
    while (length > 0) {
        const ssize_t written = write(file, rest, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("write");
        rest += written;
        length -= (size_t)written;
    }
}

static void set_flag(int file) {
    if (fsetxattr(file, flag_name, flag_value, sizeof flag_value, 0) != 0) fail("backup exclusion flag");
}

// One file of every block of twenty: the share is exact, and the files are scattered.
static bool is_flagged(struct generator *generator) {
    const uint64_t place = generator->index % FLAGGED_ONE_IN;
    if (place == 0) generator->flagged_index = random_below(&generator->random, FLAGGED_ONE_IN);
    return place == generator->flagged_index;
}

static void make_file(struct generator *generator, int folder, bool caches, unsigned serial) {
    char name[NAME_CAPACITY];
    unsigned char content[CONTENT_CAPACITY];
    const enum kind kind = seeded_kind(&generator->random, caches);
    seeded_name(&generator->random, kind, serial, name);
    const bool filled = random_below(&generator->random, FILLED_ONE_IN) == 0;
    const size_t length = filled ? seeded_content(&generator->random, kind, content) : 0;
    const bool flagged = is_flagged(generator);
    const struct timespec time = seeded_time(generator);
    generator->index += 1;

    const int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (file < 0) fail(name);
    write_all(file, content, length);
    if (flagged) set_flag(file);
    const struct timespec times[2] = {time, time};
    if (futimens(file, times) != 0) fail(name);
    if (close(file) != 0) fail(name);
}

static void make_folder(struct generator *generator, const char *path) {
    if (mkdirat(generator->root, path, 0755) != 0) fail(path);
}

static int open_folder(struct generator *generator, const char *path) {
    const int folder = openat(generator->root, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) fail(path);
    return folder;
}

// Called when the directory is complete, because every new entry changes its modification time.
static void settle_folder(struct generator *generator, const char *path) {
    const struct timespec time = seeded_time(generator);
    const struct timespec times[2] = {time, time};
    if (utimensat(generator->root, path, times, 0) != 0) fail(path);
}

static void fill_location(struct generator *generator, const struct location *location, uint64_t files) {
    for (uint64_t done = 0, number = 0; done < files; number++) {
        char path[128];
        snprintf(path, sizeof path, "%s/d%04" PRIu64, location->path, number);
        make_folder(generator, path);
        const int folder = open_folder(generator, path);
        for (unsigned serial = 0; serial < FILES_PER_DIRECTORY && done < files; serial++, done++) {
            make_file(generator, folder, location->caches, serial);
        }
        close(folder);
        settle_folder(generator, path);
    }
}

static void write_metadata(struct generator *generator) {
    const int file = openat(generator->root, metadata_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0) fail(metadata_name);
    write_all(file, metadata, sizeof metadata - 1);
    const struct timespec time = seeded_time(generator);
    const struct timespec times[2] = {time, time};
    if (futimens(file, times) != 0 || close(file) != 0) fail(metadata_name);
}

static void make_container(struct generator *generator, uint64_t files) {
    for (size_t i = 0; i < PARENTS; i++) make_folder(generator, parents[i]);
    for (size_t i = 0; i < LOCATIONS; i++) make_folder(generator, locations[i].path);
    for (size_t i = 0; i < LOCATIONS; i++) {
        fill_location(generator, &locations[i], files / LOCATIONS + (i < files % LOCATIONS));
    }
    write_metadata(generator);
    for (size_t i = 0; i < LOCATIONS; i++) settle_folder(generator, locations[i].path);
    for (size_t i = 0; i < PARENTS; i++) settle_folder(generator, parents[i]);
    settle_folder(generator, ".");
}

static uint64_t number(const char *option, const char *text) {
    char *end;
    errno = 0;
    const unsigned long long value = text == NULL ? 0 : strtoull(text, &end, 10);
    if (text == NULL || *text < '0' || *text > '9' || *end != '\0' || errno != 0) {
        refuse("%s takes a whole number", option);
    }
    return value;
}

static bool is_empty(const char *path) {
    DIR *folder = opendir(path);
    if (folder == NULL && errno == ENOTDIR) return false;
    if (folder == NULL) fail(path);
    bool empty = true;
    for (const struct dirent *entry; empty && (entry = readdir(folder)) != NULL;) {
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    }
    closedir(folder);
    return empty;
}

static int open_empty_root(const char *path) {
    if (mkdir(path, 0755) != 0) {
        if (errno != EEXIST) fail(path);
        if (!is_empty(path)) refuse("%s is not an empty folder", path);
    }
    const int root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) fail(path);
    return root;
}

int main(int argc, char **argv) {
    const char *path = NULL;
    bool has_files = false;
    uint64_t files = 0, seed = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--files") == 0) {
            files = number("--files", argv[++i]);
            has_files = true;
        } else if (strcmp(argv[i], "--seed") == 0) {
            seed = number("--seed", argv[++i]);
        } else if (argv[i][0] == '-' || path != NULL) {
            refuse("unexpected argument %s", argv[i]);
        } else {
            path = argv[i];
        }
    }
    if (path == NULL || !has_files) refuse("usage: generate-container --files N [--seed S] DIR");

    umask(022);
    struct generator generator = {.root = open_empty_root(path), .random = {seed}};
    make_container(&generator, files);
    return 0;
}
