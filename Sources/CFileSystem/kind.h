#ifndef KIND_H
#define KIND_H

#include "CFileSystem.h"
#include <sys/stat.h>

/// Returns the kind of an entry by its mode.
static inline uint8_t kind_of_mode(uint32_t mode) {
    switch (mode & S_IFMT) {
    case S_IFREG: return CFS_FILE;
    case S_IFDIR: return CFS_DIRECTORY;
    case S_IFLNK: return CFS_SYMBOLIC_LINK;
    case S_IFIFO: return CFS_FIFO;
    case S_IFSOCK: return CFS_SOCKET;
    case S_IFCHR: return CFS_CHARACTER_DEVICE;
    case S_IFBLK: return CFS_BLOCK_DEVICE;
    default: return CFS_UNKNOWN;
    }
}

#endif
