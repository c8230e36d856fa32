#ifndef DARWIN_ERRNO_H
#define DARWIN_ERRNO_H

// Source: intro(2)
extern int *darwin_errno(void);
#define errno (*darwin_errno())
#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define EBADF 9
#define EDEADLK 11
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define EINVAL 22
#define ENOTTY 25
#define EMLINK 31
#define ERANGE 34
#define EAGAIN 35
#define ENOTSUP 45
#define ENAMETOOLONG 63
#define ENOSYS 78
#define ENOATTR 93
#define ENODATA 96
#define EOPNOTSUPP 102

#endif
