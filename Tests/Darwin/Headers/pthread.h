#ifndef DARWIN_PTHREAD_H
#define DARWIN_PTHREAD_H

#include <sys/_types.h>
typedef darwin_size_t size_t;
// Source: pthread(3), and a page for each call
typedef struct darwin_thread *pthread_t;
typedef struct { long signature; char content[56]; } pthread_attr_t;
typedef struct { long signature; char content[56]; } pthread_mutex_t;
typedef struct { long signature; char content[8]; } pthread_mutexattr_t;
#define PTHREAD_MUTEX_INITIALIZER {0x32AAABA7, {0}}
typedef struct { long signature; char content[40]; } pthread_cond_t;
typedef struct { long signature; char content[8]; } pthread_condattr_t;

int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_create(pthread_t *restrict, const pthread_attr_t *restrict, void *(*)(void *), void *restrict);
int pthread_detach(pthread_t);
int pthread_join(pthread_t, void **);
pthread_t pthread_self(void);
int pthread_mutex_init(pthread_mutex_t *restrict, const pthread_mutexattr_t *restrict);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *restrict, const pthread_condattr_t *restrict);
int pthread_cond_wait(pthread_cond_t *restrict, pthread_mutex_t *restrict);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_destroy(pthread_cond_t *);

#endif
