#ifndef DARWIN_SYS__TYPES_H
#define DARWIN_SYS__TYPES_H

// The widths of Darwin's basic types. They differ from those of Linux: mode_t and nlink_t have 16 bits, dev_t is signed.
// Each public header below repeats the typedefs that it makes visible.
typedef signed int darwin_dev_t;
typedef unsigned short darwin_mode_t;
typedef unsigned short darwin_nlink_t;
typedef unsigned long long darwin_ino_t;
typedef unsigned int darwin_uid_t;
typedef unsigned int darwin_gid_t;
typedef signed int darwin_pid_t;
typedef signed long long darwin_off_t;
typedef signed long darwin_ssize_t;
typedef unsigned long darwin_size_t;
typedef signed long darwin_time_t;
typedef signed long long darwin_blkcnt_t;
typedef signed int darwin_blksize_t;
#ifndef NULL
#define NULL ((void *)0)
#endif

#endif
