#ifndef DARWIN_FCNTL_H
#define DARWIN_FCNTL_H

#include <sys/_filesec.h>
#include <sys/_types.h>
typedef darwin_mode_t mode_t;
typedef darwin_off_t off_t;
typedef darwin_pid_t pid_t;

// Source: open(2)
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_APPEND 0x00000008
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_EVTONLY 0x00008000
#define O_NOCTTY 0x00020000
#define O_DIRECTORY 0x00100000
#define O_SYMLINK 0x00200000
#define O_CLOEXEC 0x01000000
#define O_NOFOLLOW_ANY 0x20000000

#define AT_FDCWD (-2)
#define AT_SYMLINK_NOFOLLOW 0x0020
#define AT_REMOVEDIR 0x0080

// Source: fcntl(2)
#define F_SETFD 2
#define F_SETFL 4
#define F_GETPATH 50
#define F_FULLFSYNC 51
#define F_GETPROTECTIONCLASS 63
#define F_SETPROTECTIONCLASS 64
#define F_DUPFD_CLOEXEC 67
#define FD_CLOEXEC 1

#define F_RDLCK 1
#define F_UNLCK 2
struct flock {
    off_t l_start;
    off_t l_len;
    pid_t l_pid;
    short l_type;
    short l_whence;
};

int open(const char *, int, ...);
int openat(int, const char *, int, ...);
int fcntl(int, int, ...);

// Source: filesec_init(3), filesec_set_property(3)
typedef enum { FILESEC_OWNER = 1, FILESEC_GROUP = 2, FILESEC_MODE = 4, FILESEC_ACL = 5 } filesec_property_t;
#define _FILESEC_REMOVE_ACL ((void *)1)
filesec_t filesec_init(void);
void filesec_free(filesec_t);
int filesec_set_property(filesec_t, filesec_property_t, const void *);

#endif
