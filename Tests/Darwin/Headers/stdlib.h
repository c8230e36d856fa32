#ifndef DARWIN_STDLIB_H
#define DARWIN_STDLIB_H

#include <sys/_types.h>
typedef darwin_size_t size_t;
_Noreturn void abort(void);
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
void arc4random_buf(void *, size_t);

#endif
