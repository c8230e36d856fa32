// save-c: durable saves with the minimum of system calls.
//
//     save-c none|file|full COUNT CONTAINER
//     save-c append COUNT CONTAINER
//
// Saves 4 KiB as Documents/0, Documents/1, … of a container, each once, and prints the nanoseconds per save. A
// replaced file passes on its attributes and its mode. `append` adds lines of 100 bytes to Documents/log with write and
// fdatasync.

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum { CONTENT = 4096, NAMES_CAPACITY = 4096, VALUE_CAPACITY = 4096 };
enum level { NONE, CONTENT_ONLY, FULL };

static int checked(int result, const char *what) {
    if (result >= 0) return result;
    fprintf(stderr, "save-c: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void carry_attributes(int from, int to) {
    char names[NAMES_CAPACITY], value[VALUE_CAPACITY];
    const int length = checked((int)flistxattr(from, names, sizeof names), "flistxattr");
    for (const char *name = names; name < names + length; name += strlen(name) + 1) {
        const int size = checked((int)fgetxattr(from, name, value, sizeof value), "fgetxattr");
        checked(fsetxattr(to, name, value, (size_t)size, 0), "fsetxattr");
    }
}

static void carry(int folder, const char *name, int to) {
    const int from = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (from < 0 && errno == ENOENT) return;
    checked(from, "open the old file");
    carry_attributes(from, to);
    struct stat status;
    checked(fstat(from, &status), "fstat");
    checked(fchmod(to, status.st_mode & 07777), "fchmod");
    checked(close(from), "close");
}

static void save(int container, const char *name, const char *content, enum level level) {
    char staging[64];
    snprintf(staging, sizeof staging, ".staging-%s", name);
    const int folder = checked(openat(container, "Documents", O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open the folder");
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const int file = checked(openat(folder, staging, flags, 0600), "make the file");
    if (checked((int)write(file, content, CONTENT), "write") != CONTENT) exit(1);
    carry(folder, name, file);
    if (level != NONE) checked(fsync(file), "fsync");
    checked(close(file), "close");
    checked(renameat(folder, staging, folder, name), "rename");
    if (level == FULL) checked(fsync(folder), "fsync of the folder");
    checked(close(folder), "close");
}

static int open_log(int container) {
    return checked(openat(container, "Documents/log", O_WRONLY | O_APPEND | O_CLOEXEC), "open the log");
}

static void append(int log) {
    static char line[100];
    memset(line, 'n', sizeof line - 1);
    line[sizeof line - 1] = '\n';
    if (checked((int)write(log, line, sizeof line), "write") != sizeof line) exit(1);
    checked(fdatasync(log), "fdatasync");
}

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static enum level level_of(const char *word) {
    if (strcmp(word, "none") == 0) return NONE;
    return strcmp(word, "file") == 0 ? CONTENT_ONLY : FULL;
}

int main(int argc, char **argv) {
    const int count = argc == 4 ? atoi(argv[2]) : 0;
    if (count < 1) {
        fprintf(stderr, "usage: save-c none|file|full|append COUNT CONTAINER\n");
        return 2;
    }
    static char content[CONTENT];
    memset(content, 'n', sizeof content);
    const int container = checked(open(argv[3], O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open the container");
    const enum level level = level_of(argv[1]);
    const int log = strcmp(argv[1], "append") == 0 ? open_log(container) : -1;

    const int64_t began = nanoseconds();
    for (int number = 0; number < count; number++) {
        if (log >= 0) {
            append(log);
            continue;
        }
        char name[16];
        snprintf(name, sizeof name, "%d", number);
        save(container, name, content, level);
    }
    printf("%lld\n", (long long)((nanoseconds() - began) / count));
    return 0;
}
