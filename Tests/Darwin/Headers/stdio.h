#ifndef DARWIN_STDIO_H
#define DARWIN_STDIO_H

#include <sys/_types.h>
#include <sys/stdio.h>
typedef darwin_size_t size_t;
int snprintf(char *restrict, size_t, const char *restrict, ...) __attribute__((format(printf, 3, 4)));

#endif
