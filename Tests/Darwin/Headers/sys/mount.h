#ifndef DARWIN_SYS_MOUNT_H
#define DARWIN_SYS_MOUNT_H

#include <stdint.h>
// Source: statfs(2)
struct statfs {
    uint32_t f_bsize;
    int32_t f_iosize;
    uint64_t f_blocks;
    uint64_t f_bfree;
    uint64_t f_bavail;
    uint64_t f_files;
    uint64_t f_ffree;
};
int fstatfs(int, struct statfs *);

#endif
