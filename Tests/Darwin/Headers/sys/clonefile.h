#ifndef DARWIN_SYS_CLONEFILE_H
#define DARWIN_SYS_CLONEFILE_H

#include <stdint.h>
// Source: clonefile(2)
#define CLONE_NOFOLLOW 0x0001
int fclonefileat(int, int, const char *, uint32_t);

#endif
