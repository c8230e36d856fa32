#ifndef DARWIN_SYS__FILESEC_H
#define DARWIN_SYS__FILESEC_H

// Source: filesec_init(3)
struct _filesec;
typedef struct _filesec *filesec_t;

#endif
