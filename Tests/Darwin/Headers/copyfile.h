#ifndef DARWIN_COPYFILE_H
#define DARWIN_COPYFILE_H

#include <stdint.h>
// Source: copyfile(3)
typedef struct darwin_copyfile_state *copyfile_state_t;
typedef uint32_t copyfile_flags_t;
#define COPYFILE_XATTR (1 << 2)
int fcopyfile(int, int, copyfile_state_t, copyfile_flags_t);

#endif
