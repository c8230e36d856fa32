#ifndef DARWIN_WCHAR_H
#define DARWIN_WCHAR_H

#include <sys/_types.h>
typedef darwin_size_t size_t;

// Source: mbrtowc(3), wcwidth(3)
typedef int wchar_t;
typedef int wint_t;
typedef union { char bytes[128]; long long alignment; } mbstate_t;
size_t mbrtowc(wchar_t *restrict, const char *restrict, size_t, mbstate_t *restrict);
int wcwidth(wchar_t);

#endif
