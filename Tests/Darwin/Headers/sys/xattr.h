#ifndef DARWIN_SYS_XATTR_H
#define DARWIN_SYS_XATTR_H

#include <stdint.h>
#include <sys/_types.h>
typedef darwin_size_t size_t;
typedef darwin_ssize_t ssize_t;
#define XATTR_RESOURCEFORK_NAME "com.apple.ResourceFork"
ssize_t fgetxattr(int, const char *, void *, size_t, uint32_t, int);
int fsetxattr(int, const char *, const void *, size_t, uint32_t, int);
int fremovexattr(int, const char *, int);
ssize_t flistxattr(int, char *, size_t, int);

#endif
