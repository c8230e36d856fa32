#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#ifndef _DARWIN_C_SOURCE
#define _DARWIN_C_SOURCE 1
#endif
#include "restore.h"

#include <curses.h>
#include <term.h>

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int DEFECTS[] = {SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV};
enum { DEFECT_COUNT = sizeof DEFECTS / sizeof *DEFECTS };

static struct sigaction earlier[DEFECT_COUNT];
static struct termios modes;
static bool has_modes;
static int errors[2] = {-1, -1};
static int terminal_errors = -1;
// The sequences that leave the screen: a signal handler may not read the terminal's description.
static char leaving[256];

void ct_note_terminal(void) { has_modes = tcgetattr(STDIN_FILENO, &modes) == 0; }

// Only calls that a signal handler may make.
static void write_errors(void) {
    char piece[512];
    ssize_t count;
    if (errors[0] < 0) return;
    while ((count = read(errors[0], piece, sizeof piece)) > 0)
        if (write(STDERR_FILENO, piece, (size_t)count) < 0) return;
}

static void restore_after_defect(int number) {
    (void)!write(STDOUT_FILENO, leaving, strlen(leaving));
    if (has_modes) tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
    if (terminal_errors >= 0) dup2(terminal_errors, STDERR_FILENO);
    write_errors();
    for (int index = 0; index < DEFECT_COUNT; index++) sigaction(DEFECTS[index], &earlier[index], NULL);
    // Delivered when this handler returns. An instruction that trapped is repeated.
    raise(number);
}

// Appends a sequence without its delays (`$<20>`), which only terminals of old need.
static void append(const char *text) {
    size_t length = strlen(leaving);
    while (*text != 0 && length + 1 < sizeof leaving) {
        const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;
        if (end != NULL)
            text = end + 1;
        else
            leaving[length++] = *text++;
    }
    leaving[length] = 0;
}

static void note_leaving(void) {
    const char *const names[] = {"sgr0", "rmkx", "cnorm", "rmcup"};
    leaving[0] = 0;
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        char *text = tigetstr((char *)names[index]);
        if (text != NULL && text != (char *)-1) append(text);
    }
}

void ct_capture_errors(void) {
    note_leaving();
    terminal_errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (terminal_errors >= 0 && pipe(errors) == 0) {
        for (int side = 0; side < 2; side++) {
            fcntl(errors[side], F_SETFD, FD_CLOEXEC);
            // A full pipe drops text instead of blocking the program.
            fcntl(errors[side], F_SETFL, O_NONBLOCK);
        }
        dup2(errors[1], STDERR_FILENO);
    }
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = restore_after_defect;
    sigemptyset(&action.sa_mask);
    // A stack overflow is handled on the alternate stack of the runtime, if it has one.
    action.sa_flags = SA_ONSTACK;
    for (int index = 0; index < DEFECT_COUNT; index++) sigaction(DEFECTS[index], &action, &earlier[index]);
}

void ct_release_errors(void) {
    for (int index = 0; index < DEFECT_COUNT; index++) sigaction(DEFECTS[index], &earlier[index], NULL);
    if (terminal_errors < 0) return;
    dup2(terminal_errors, STDERR_FILENO);
    write_errors();
    close(terminal_errors);
    for (int side = 0; side < 2; side++)
        if (errors[side] >= 0) close(errors[side]);
    terminal_errors = errors[0] = errors[1] = -1;
}
