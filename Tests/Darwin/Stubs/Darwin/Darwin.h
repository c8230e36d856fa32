#ifndef DARWIN_STUB_H
#define DARWIN_STUB_H

// The types of Darwin that Swift code sees through Foundation, with Darwin's widths and names. What Linux alone has,
// such as statx or st_mtim, is not declared. Used if the Python package ziglang, which has Apple's headers, is missing.
#include <stddef.h>
#include <stdint.h>

typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef int32_t pid_t;
typedef int64_t off_t;
typedef long ssize_t;
typedef long time_t;

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec;
    struct timespec st_mtimespec;
    struct timespec st_ctimespec;
    struct timespec st_birthtimespec;
    off_t st_size;
    int64_t st_blocks;
    int32_t st_blksize;
    uint32_t st_flags;
    uint32_t st_gen;
    int32_t st_lspare;
    int64_t st_qspare[2];
};

typedef unsigned char uuid_t[16];

#define EINTR 4

#define SIGINT 2
#define SIGKILL 9
#define SIGTERM 15

int memcmp(const void *_Nullable left, const void *_Nullable right, size_t count);
int fstat(int descriptor, struct stat *status);
void *_Nullable memchr(const void *_Nullable bytes, int byte, size_t count);
ssize_t read(int descriptor, void *_Nullable bytes, size_t count);
int chmod(const char *_Nullable path, mode_t mode);
mode_t umask(mode_t mask);
pid_t getpid(void);
int gethostname(char *name, size_t size);
uid_t geteuid(void);
gid_t getegid(void);
int kill(pid_t process, int signal);
void _exit(int code) __attribute__((noreturn));
void exit(int code) __attribute__((noreturn));
double exp(double value);
double log(double value);
double log2(double value);

typedef struct os_unfair_lock_s {
    uint32_t _os_unfair_lock_opaque;
} os_unfair_lock, *os_unfair_lock_t;

void os_unfair_lock_lock(os_unfair_lock_t _Nonnull lock);
void os_unfair_lock_unlock(os_unfair_lock_t _Nonnull lock);

int removexattr(const char *path, const char *name, int options);

#endif
