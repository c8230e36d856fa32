// A test of the calls of CFileSystem, each at least once, in an empty temporary directory. It needs a C compiler alone, so that
// it runs on a Mac before the package compiles there. The exit code is 1 if an expectation failed.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures, checks;

void check(int holds, const char *text, const char *file, int line) {
    checks++;
    if (holds) return;
    failures++;
    fprintf(stderr, "%s:%d: error: %s\n", file, line, text);
}

void check_equal(long long value, long long expected, const char *text, const char *file, int line) {
    checks++;
    if (value == expected) return;
    failures++;
    const char *reason = value < 0 && value > -200 ? strerror((int)-value) : "";
    fprintf(stderr, "%s:%d: error: %s is %lld, not %lld. %s\n", file, line, text, value, expected, reason);
}

bool check_result(long long value, long long error, const char *text, const char *file, int line) {
    if (value == error) return checks++, false;
    if (value < 0) check_equal(value, 0, text, file, line);
    else checks++;
    return value >= 0;
}

int make_file(int directory, const char *name, const char *text) {
    int file = cfs_open_at(directory, name, CFS_READ | CFS_WRITE | CFS_CREATE_NEW, 0600);
    if (file < 0) {
        fprintf(stderr, "error: cannot create %s: %s\n", name, strerror(-file));
        exit(1);
    }
    EQUAL(cfs_write(file, text, strlen(text)), (long long)strlen(text));
    return file;
}

int main(void) {
    char path[4096];
    // Ends the program if a call waits for what never comes.
    alarm(120);
    const char *temporary = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/calls-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (mkdtemp(path) == NULL) {
        fprintf(stderr, "error: cannot create a directory “%s”: %s\n", path, strerror(errno));
        return 1;
    }
    int directory = cfs_open_at(cfs_current_directory(), path, CFS_READ | CFS_AS_DIRECTORY | CFS_NO_FOLLOW, 0);
    CHECK(directory >= 0);
    check_files(directory);
    check_names(directory);
    check_properties(directory);
    check_attributes(directory);
    check_listing(directory);
    check_locks(directory);
    check_memory(directory);
    check_watches(directory);
    check_threads();
    check_clocks();
    check_process(directory);
    check_terminal();
    EQUAL(cfs_close(directory), 0);
    EQUAL(cfs_close(directory), -EBADF);
    // Fails if a group has left an entry.
    EQUAL(cfs_remove(cfs_current_directory(), path, true), 0);
    printf("%d expectations about the calls, %d failed\n", checks, failures);
    return failures == 0 ? 0 : 1;
}
