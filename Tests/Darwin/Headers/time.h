#ifndef DARWIN_TIME_H
#define DARWIN_TIME_H

#include <sys/_timespec.h>
#include <sys/_types.h>
typedef darwin_time_t time_t;
// Source: clock_gettime(3), nanosleep(2)
typedef enum {
    CLOCK_REALTIME = 0,
    CLOCK_MONOTONIC = 6,
    CLOCK_MONOTONIC_RAW_APPROX = 5,
} clockid_t;
int clock_gettime(clockid_t, struct timespec *);
unsigned long long clock_gettime_nsec_np(clockid_t);
int nanosleep(const struct timespec *, struct timespec *);

#endif
