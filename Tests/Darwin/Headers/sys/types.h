#ifndef DARWIN_SYS_TYPES_H
#define DARWIN_SYS_TYPES_H

#include <sys/_types.h>
// Source: types(5)
typedef darwin_dev_t dev_t;
typedef darwin_mode_t mode_t;
typedef darwin_nlink_t nlink_t;
typedef darwin_ino_t ino_t;
typedef darwin_uid_t uid_t;
typedef darwin_gid_t gid_t;
typedef darwin_pid_t pid_t;
typedef darwin_off_t off_t;
typedef darwin_ssize_t ssize_t;
typedef darwin_size_t size_t;
typedef darwin_time_t time_t;

#endif
