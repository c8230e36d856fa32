#ifndef DARWIN_SYS_MMAN_H
#define DARWIN_SYS_MMAN_H

#include <sys/_types.h>
typedef darwin_off_t off_t;
typedef darwin_size_t size_t;
// Source: mmap(2), munmap(2)
#define PROT_READ 0x01
#define MAP_PRIVATE 0x0002
#define MAP_FAILED ((void *)-1)
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);

#endif
