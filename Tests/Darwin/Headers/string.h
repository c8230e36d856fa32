#ifndef DARWIN_STRING_H
#define DARWIN_STRING_H

#include <sys/_types.h>
typedef darwin_size_t size_t;

// Source: string(3)
int strcmp(const char *, const char *);
size_t strlen(const char *);
char *strchr(const char *, int);
void *memset(void *, int, size_t);
void *memcpy(void *restrict, const void *restrict, size_t);

#endif
