#include "CTerminal.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>

int32_t ct_run(const char *program, const char *const arguments[], const char *const environment[]) {
    posix_spawnattr_t attributes;
    int error = posix_spawnattr_init(&attributes);
    if (error != 0) return -error;
    // The program handles the signals of the terminal itself, whatever the thread that starts it does.
    sigset_t none, endings;
    sigemptyset(&none);
    sigemptyset(&endings);
    sigaddset(&endings, SIGINT);
    sigaddset(&endings, SIGQUIT);
    sigaddset(&endings, SIGTERM);
    sigaddset(&endings, SIGHUP);
    sigaddset(&endings, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &endings);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t process = 0;
    error = posix_spawn(
        &process, program, NULL, &attributes, (char *const *)arguments, (char *const *)environment);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) return -error;
    int status = 0;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) return -errno;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
