#ifndef DARWIN_SYS_XATTR_H
#define DARWIN_SYS_XATTR_H

#include <stdint.h>
#include <sys/types.h>

// Source: getxattr(2)
#define XATTR_RESOURCEFORK_NAME "com.apple.ResourceFork"
ssize_t fgetxattr(int, const char *, void *, size_t, uint32_t, int);

// Source: setxattr(2)
int fsetxattr(int, const char *, const void *, size_t, uint32_t, int);

// Source: removexattr(2)
int removexattr(const char *, const char *, int);
int fremovexattr(int, const char *, int);

// Source: listxattr(2)
ssize_t flistxattr(int, char *, size_t, int);

#endif
