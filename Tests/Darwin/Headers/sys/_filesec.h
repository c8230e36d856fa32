#ifndef DARWIN_SYS__FILESEC_H
#define DARWIN_SYS__FILESEC_H

struct _filesec;
typedef struct _filesec *filesec_t;

#endif
