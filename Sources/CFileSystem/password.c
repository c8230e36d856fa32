// The input of a password or a key: from a file or pipe, or from the terminal without echo.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CFileSystem.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static pthread_mutex_t terminal_lock = PTHREAD_MUTEX_INITIALIZER;
static struct termios shown;
static int terminal = -1;

// Changes the modes of a terminal until cfs_restore_echo. Returns the error, or 0.
static int hide_input(int descriptor, tcflag_t modes, int when) {
    pthread_mutex_lock(&terminal_lock);
    struct termios hidden;
    int failure = tcgetattr(descriptor, &shown) == 0 ? 0 : errno;
    if (failure == 0) {
        hidden = shown;
        hidden.c_lflag &= ~modes;
        failure = tcsetattr(descriptor, when, &hidden) == 0 ? 0 : errno;
    }
    if (failure == 0) terminal = descriptor;
    pthread_mutex_unlock(&terminal_lock);
    return failure;
}

static void show_input(int when) {
    pthread_mutex_lock(&terminal_lock);
    if (terminal >= 0) tcsetattr(terminal, when, &shown);
    terminal = -1;
    pthread_mutex_unlock(&terminal_lock);
}

// Reads until the end of the file, a full buffer, or, if wanted, a newline.
static long read_into(int descriptor, char *bytes, size_t size, bool ends_at_newline) {
    size_t count = 0;
    while (count < size) {
        ssize_t result = read(descriptor, bytes + count, size - count);
        if (result < 0 && errno == EINTR) continue;
        if (result < 0) return -errno;
        if (result == 0) break;
        count += (size_t)result;
        if (ends_at_newline && bytes[count - 1] == '\n') break;
    }
    return (long)count;
}

long cfs_read_stream(int directory, const char *path, char *bytes, size_t size) {
    int descriptor = openat(directory, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) return -errno;
    long result = read_into(descriptor, bytes, size, false);
    close(descriptor);
    return result;
}

long cfs_ask_terminal(const char *prompt, char *bytes, size_t size) {
    int descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) return -errno;
    int failure = hide_input(descriptor, ECHO, TCSAFLUSH);
    long result = -failure;
    if (failure == 0) {
        (void)!write(descriptor, prompt, strlen(prompt));
        result = read_into(descriptor, bytes, size, true);
        (void)!write(descriptor, "\n", 1);
    }
    cfs_restore_echo();
    close(descriptor);
    return result;
}

long cfs_read_key(int descriptor, unsigned char *byte) {
    // Keys that were pressed early are kept.
    int failure = hide_input(descriptor, ECHO | ICANON, TCSADRAIN);
    if (failure != 0) return -failure;
    ssize_t result;
    do result = read(descriptor, byte, 1);
    while (result < 0 && errno == EINTR);
    failure = result < 0 ? errno : 0;
    show_input(result == 1 && *byte == 0x1b ? TCSAFLUSH : TCSADRAIN);
    return result < 0 ? -failure : (long)result;
}

void cfs_restore_echo(void) { show_input(TCSAFLUSH); }
