// Threads, clocks, the process, its signals and its terminal.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
    cfs_monitor *monitor;
    bool is_done;
    int count;
    uint64_t thread;
};

static void count(void *context) {
    struct shared *shared = context;
    // More than the 512 KiB of a thread of Darwin, down to the first byte, so that no page is left out.
    volatile char large[4 << 20];
    for (size_t end = sizeof large; end > 0; end -= 1024) large[end - 1024] = 1;
    cfs_monitor_lock(shared->monitor);
    shared->count += large[0];
    shared->thread = cfs_thread();
    cfs_swap(&shared->is_done, true);
    cfs_monitor_wake_all(shared->monitor);
    cfs_monitor_unlock(shared->monitor);
}

void check_threads(void) {
    struct shared shared = {.monitor = cfs_monitor_make()};
    EQUAL(cfs_run_threads(4, count, &shared), 4);
    EQUAL(shared.count, 4);
    CHECK(shared.thread != 0 && shared.thread != cfs_thread());
    CHECK(cfs_swap(&shared.is_done, false));
    EQUAL(cfs_start_thread(count, &shared), 0);
    cfs_monitor_lock(shared.monitor);
    while (!cfs_load(&shared.is_done)) cfs_monitor_wait(shared.monitor);
    cfs_monitor_unlock(shared.monitor);
    EQUAL(shared.count, 5);
    cfs_monitor_free(shared.monitor);
    CHECK(cfs_processor_count() >= 1);
}

void check_clocks(void) {
    const cfs_time now = cfs_now();
    CHECK(now.seconds > 1700000000 && now.nanoseconds < 1000000000);
    const uint64_t start = cfs_uptime_nanoseconds(), coarse = cfs_coarse_uptime_nanoseconds();
    cfs_pause(30);
    const uint64_t end = cfs_uptime_nanoseconds();
    CHECK(end - start >= 20000000 && end - start < UINT64_C(60000000000));
    CHECK(cfs_coarse_uptime_nanoseconds() > coarse);
    CHECK(cfs_random() != cfs_random());
}

// MARK: - Signals

static void end(int number) { _exit(number == SIGTERM ? 42 : 1); }

/// A process that handles its signals ends with the code of the handler.
static void check_signals(void) {
    pid_t process = fork();
    if (process == 0) {
        if (cfs_handle_termination_signals(end) != 0) _exit(2);
        cfs_wait_if_terminating();
        raise(SIGTERM);
        cfs_wait_if_terminating();
        _exit(3);
    }
    int status = 0;
    CHECK(waitpid(process, &status, 0) == process);
    CHECK(WIFEXITED(status));
    EQUAL(WEXITSTATUS(status), 42);
    CHECK(cfs_is_process_gone(process));
    CHECK(!cfs_is_process_gone(cfs_process_id()));
}

void check_process(int directory) {
    char path[4096];
    EQUAL(cfs_process_id(), getpid());
    EQUAL(cfs_user(), geteuid());
    CHECK(fchdir(directory) == 0);
    const long length = cfs_working_directory(path, sizeof path);
    CHECK(length > 1 && path[0] == '/' && (size_t)length == strlen(path));
    CHECK(chdir("/") == 0);
    EQUAL(cfs_working_directory(path, 1), -ERANGE);
    setenv("CALLS_VARIABLE", "value", 1);
    bool has_variable = false;
    for (size_t index = 0; cfs_variable(index) != NULL; index++)
        if (strcmp(cfs_variable(index), "CALLS_VARIABLE=value") == 0) has_variable = true;
    CHECK(has_variable);
    check_signals();
}

// MARK: - Terminal

/// A process with the terminal asks for a line and for a key.
static int ask(const char *name) {
    char line[64] = {0};
    unsigned char key = 0;
    setsid();
    int terminal = open(name, O_RDWR);
    if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) != 0) return 2;
    if (!cfs_is_terminal(terminal)) return 3;
    const struct winsize size = {.ws_row = 24, .ws_col = 132};
    if (ioctl(terminal, TIOCSWINSZ, &size) != 0 || cfs_terminal_columns(terminal) != 132) return 4;
    if (cfs_ask_terminal("Word: ", line, sizeof line) != 5 || strcmp(line, "word\n") != 0) return 5;
    // Keys that were typed before the end of the prompt are discarded.
    if (write(terminal, "Key: ", 5) != 5) return 6;
    if (cfs_read_key(terminal, &key) != 1 || key != 'k') return 7;
    cfs_restore_echo();
    return 0;
}

/// Reads the output of a terminal until it contains a text.
static bool wait_for(int terminal, char *output, size_t size, const char *text) {
    size_t count = strlen(output);
    while (strstr(output, text) == NULL) {
        ssize_t result = read(terminal, output + count, size - count - 1);
        if (result <= 0) return false;
        count += (size_t)result;
        output[count] = 0;
    }
    return true;
}

void check_terminal(void) {
    int input = open("/dev/null", O_RDONLY);
    CHECK(!cfs_is_terminal(input));
    EQUAL(cfs_terminal_columns(input), 0);
    EQUAL(cfs_close(input), 0);

    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) {
        fprintf(stderr, "note: this system has no pseudo-terminal, so none is tested\n");
        return;
    }
    const char *name = ptsname(terminal);
    CHECK(name != NULL);
    pid_t process = fork();
    if (process == 0) _exit(ask(name));
    char output[256] = {0};
    CHECK(wait_for(terminal, output, sizeof output, "Word: "));
    CHECK(write(terminal, "word\n", 5) == 5);
    CHECK(wait_for(terminal, output, sizeof output, "Key: "));
    // The prompt ends with a line break. The word was not shown.
    CHECK(strchr(output, '\n') != NULL && strstr(output, "word") == NULL);
    CHECK(write(terminal, "k", 1) == 1);
    // On Darwin, a process waits until its output is read. There is no more after its end.
    while (read(terminal, output, sizeof output) > 0) {}
    int status = 0;
    CHECK(waitpid(process, &status, 0) == process);
    CHECK(WIFEXITED(status));
    EQUAL(WEXITSTATUS(status), 0);
    close(terminal);
}
