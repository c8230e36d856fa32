#ifndef DARWIN_UNISTD_H
#define DARWIN_UNISTD_H

#include <sys/_types.h>
typedef darwin_gid_t gid_t;
typedef darwin_off_t off_t;
typedef darwin_pid_t pid_t;
typedef darwin_size_t size_t;
typedef darwin_ssize_t ssize_t;
typedef darwin_uid_t uid_t;

// Source: lseek(2), sysconf(3), pathconf(2), fsync(2), and a page for each call
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define SEEK_SET 0
#define SEEK_HOLE 3
#define SEEK_DATA 4
#define _SC_NPROCESSORS_ONLN 58
#define _PC_CASE_SENSITIVE 11
#define SYNC_VOLUME_FULLSYNC 0x01
#define SYNC_VOLUME_WAIT 0x02

int close(int);
int dup2(int, int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
off_t lseek(int, off_t, int);
int ftruncate(int, off_t);
int fsync(int);
int fsync_volume_np(int, int);
int pipe(int[2]);
int pause(void);
int isatty(int);
long sysconf(int);
long fpathconf(int, int);
char *getcwd(char *, size_t);
pid_t getpid(void);
uid_t geteuid(void);
int fchown(int, uid_t, gid_t);
int fchownat(int, const char *, uid_t, gid_t, int);
int linkat(int, const char *, int, const char *, int);
int symlinkat(const char *, int, const char *);
ssize_t readlinkat(int, const char *, char *, size_t);
int unlinkat(int, const char *, int);
int getattrlistat(int, const char *, void *, void *, size_t, unsigned long);

#endif
