// cache-c: the minimum of system calls for reads of a cache, a list with attributes, and a sum of sizes.
//
//     cache-c read FOLDER    opens, reads and closes each file
//     cache-c list FOLDER    reads the names, and for each the status and the names of its attributes
//
// Prints the nanoseconds per file. The names are read before, in the order of the file system.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 20];

static int checked(long result, const char *what) {
    if (result >= 0) return (int)result;
    fprintf(stderr, "cache-c: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// Reads the names of a folder. Each is 256 bytes apart.
static size_t read_names(const char *folder, char **names) {
    DIR *directory = opendir(folder);
    if (directory == NULL) checked(-1, "opendir");
    size_t count = 0, capacity = 1024;
    *names = malloc(capacity * 256);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        if (count == capacity) *names = realloc(*names, (capacity *= 2) * 256);
        if (*names == NULL) checked(-1, "realloc");
        snprintf(*names + count++ * 256, 256, "%s", entry->d_name);
    }
    closedir(directory);
    return count;
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    const char *folder = arguments[2];
    const int directory = checked(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), folder);
    char *names = NULL;
    if (strcmp(arguments[1], "read") == 0) {
        const size_t files = read_names(folder, &names);
        const double start = now();
        for (size_t index = 0; index < files; index++) {
            const int file = checked(openat(directory, names + index * 256, O_RDONLY | O_CLOEXEC), "openat");
            checked(read(file, buffer, sizeof buffer), "read");
            checked(close(file), "close");
        }
        printf("%.0f\n", (now() - start) / (double)files);
    } else {
        const double start = now();
        const size_t files = read_names(folder, &names);
        for (size_t index = 0; index < files; index++) {
            struct stat status;
            checked(fstatat(directory, names + index * 256, &status, AT_SYMLINK_NOFOLLOW), "fstatat");
            char path[64];
            snprintf(path, sizeof path, "/proc/self/fd/%d", directory);
            char whole[512];
            snprintf(whole, sizeof whole, "%s/%s", path, names + index * 256);
            checked(llistxattr(whole, buffer, 65536), "llistxattr");
        }
        printf("%.0f\n", (now() - start) / (double)files);
    }
    free(names);
    return 0;
}
