#ifndef DARWIN_SYS__TIMESPEC_H
#define DARWIN_SYS__TIMESPEC_H

#include <sys/_types.h>
// Source: clock_gettime(3)
struct timespec {
    darwin_time_t tv_sec;
    long tv_nsec;
};

#endif
