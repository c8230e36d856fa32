#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An incomplete walk is not a reference, so the first error ends the process.
static inline _Noreturn void fail(const char *what) {
    fprintf(stderr, "walker: %s: %s\n", what, strerror(errno));
    exit(1);
}
