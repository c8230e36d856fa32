#ifndef DARWIN_SIGNAL_H
#define DARWIN_SIGNAL_H

// Source: sigaction(2), signal(3), sigsetops(3), kill(2), raise(3), pthread_sigmask(2)
typedef int sig_atomic_t;
typedef unsigned int sigset_t;
struct sigaction {
    void (*sa_handler)(int);
    sigset_t sa_mask;
    int sa_flags;
};
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SA_ONSTACK 0x0001
#define SA_RESTART 0x0002
#define SIG_UNBLOCK 2
#define SIGHUP 1
#define SIGINT 2
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGTERM 15
void (*signal(int, void (*)(int)))(int);
int sigaction(int, const struct sigaction *restrict, struct sigaction *restrict);
int kill(int, int);
int raise(int);
int sigemptyset(sigset_t *);
int sigaddset(sigset_t *, int);
int pthread_sigmask(int, const sigset_t *, sigset_t *);

#endif
