#ifndef DARWIN_STDLIB_H
#define DARWIN_STDLIB_H

#include <sys/_types.h>
typedef darwin_size_t size_t;

// Source: abort(3), malloc(3), arc4random(3), multibyte(3)
extern int darwin_character_bytes(void);
#define MB_CUR_MAX (darwin_character_bytes())
_Noreturn void abort(void);
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
void arc4random_buf(void *, size_t);

#endif
