#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A walk that missed something is no yardstick, so the first error ends it.
static inline _Noreturn void fail(const char *what) {
    fprintf(stderr, "walker: %s: %s\n", what, strerror(errno));
    exit(1);
}
