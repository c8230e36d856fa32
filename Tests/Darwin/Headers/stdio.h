#ifndef DARWIN_STDIO_H
#define DARWIN_STDIO_H

#include <sys/_types.h>
#include <sys/stdio.h>
typedef darwin_size_t size_t;

// Source: stdio(3), printf(3)
typedef struct darwin_file FILE;
extern FILE *darwin_input;
extern FILE *darwin_output;
#define stdin darwin_input
#define stdout darwin_output
int snprintf(char *restrict, size_t, const char *restrict, ...) __attribute__((format(printf, 3, 4)));

#endif
