// measure: runs one command with its output discarded, prints the wall time in nanoseconds and the peak
// resident memory in KiB, and exits with the exit code of the command.
//
// Python cannot measure this. The peak memory of a process includes its memory before exec, so every child
// process of an interpreter appears to need the memory of the interpreter.

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int start(pid_t *child, char **command) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    // A device instead of a pipe, whose reader could slow the command down.
    error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (error == 0) error = posix_spawnp(child, command[0], &actions, NULL, command, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: measure COMMAND [ARGUMENT...]\n");
        return 2;
    }
    const int64_t began = nanoseconds();
    pid_t child;
    const int error = start(&child, argv + 1);
    if (error != 0) {
        fprintf(stderr, "measure: %s: %s\n", argv[1], strerror(error));
        return 1;
    }
    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno != EINTR) {
            fprintf(stderr, "measure: wait4: %s\n", strerror(errno));
            return 1;
        }
    }
    const int64_t took = nanoseconds() - began;
    printf("%lld %ld\n", (long long)took, usage.ru_maxrss);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
