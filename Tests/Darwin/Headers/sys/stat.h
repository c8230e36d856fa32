#ifndef DARWIN_SYS_STAT_H
#define DARWIN_SYS_STAT_H

#include <sys/_filesec.h>
#include <sys/_timespec.h>
#include <sys/_types.h>
typedef darwin_dev_t dev_t;
typedef darwin_mode_t mode_t;
typedef darwin_nlink_t nlink_t;
typedef darwin_ino_t ino_t;
typedef darwin_uid_t uid_t;
typedef darwin_gid_t gid_t;
typedef darwin_off_t off_t;

// Source: stat(2), chflags(2), getattrlist(2) (EF_NO_XATTRS)
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
    darwin_blkcnt_t st_blocks;
    darwin_blksize_t st_blksize;
    unsigned int st_flags;
    unsigned int st_gen;
    int st_lspare;
    long long st_qspare[2];
};

#define S_IFMT 0170000
#define S_IFIFO 0010000
#define S_IFCHR 0020000
#define S_IFDIR 0040000
#define S_IFBLK 0060000
#define S_IFREG 0100000
#define S_IFLNK 0120000
#define S_IFSOCK 0140000
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define UF_NODUMP 0x00000001
#define SF_DATALESS 0x40000000
#define EF_NO_XATTRS 0x00000002

// Source: stat(2), chmod(2), chflags(2), mkdir(2), mkfifo(2), utimensat(2)
int fstat(int, struct stat *);
int fstatat(int, const char *, struct stat *, int);
int fchmod(int, mode_t);
int fchmodat(int, const char *, mode_t, int);
int fchflags(int, unsigned int);
int fchmodx_np(int, filesec_t);
int mkdirat(int, const char *, mode_t);
int mkfifoat(int, const char *, mode_t);
int futimens(int, const struct timespec[2]);
int utimensat(int, const char *, const struct timespec[2], int);

#endif
