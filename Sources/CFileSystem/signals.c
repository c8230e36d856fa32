// Termination by a signal. A signal handler may call very few functions, so it wakes a thread, which has no such limit.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CFileSystem.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static const int ENDINGS[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING_COUNT = sizeof ENDINGS / sizeof *ENDINGS };

static int wake[2];
static void (*end_process)(int);
static volatile sig_atomic_t is_ending = 0;

static void note_ending(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    is_ending = 1;
    (void)!write(wake[1], &byte, 1);
    errno = saved;
}

static void *wait_for_ending(void *unused) {
    (void)unused;
    unsigned char number;
    while (read(wake[0], &number, 1) != 1)
        if (errno != EINTR) return NULL;
    for (int index = 0; index < ENDING_COUNT; index++) signal(ENDINGS[index], SIG_DFL);
    end_process(number);
    return NULL;
}

int cfs_handle_termination_signals(void (*end)(int signal)) {
    signal(SIGPIPE, SIG_IGN);
    if (pipe(wake) != 0) return -errno;
    for (int side = 0; side < 2; side++) fcntl(wake[side], F_SETFD, FD_CLOEXEC);
    end_process = end;
    // The parent process may have blocked these signals. A signal that is not wanted is ignored, not blocked.
    sigset_t endings;
    sigemptyset(&endings);
    for (int index = 0; index < ENDING_COUNT; index++) sigaddset(&endings, ENDINGS[index]);
    pthread_sigmask(SIG_UNBLOCK, &endings, NULL);
    pthread_t thread;
    int result = pthread_create(&thread, NULL, wait_for_ending, NULL);
    if (result != 0) return -result;
    pthread_detach(thread);
    for (int index = 0; index < ENDING_COUNT; index++) {
        struct sigaction old, new = {.sa_handler = note_ending, .sa_flags = SA_RESTART};
        // A shell starts background processes with SIGINT ignored.
        if (sigaction(ENDINGS[index], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(ENDINGS[index], &new, NULL);
    }
    return 0;
}

void cfs_wait_if_terminating(void) {
    while (is_ending) pause();
}
