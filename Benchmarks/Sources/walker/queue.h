#pragma once

#include <pthread.h>
#include <stddef.h>

// The folders still to be read, shared by all threads. The newest comes first: its parent is still in
// the processor's cache, and the queue stays as short as the tree is deep times a folder's width.
struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    char **paths;
    size_t count;
    size_t capacity;
    // Waiting and being read: when none is left, nothing can be added any more.
    size_t unfinished;
};

#define QUEUE_INITIALIZER {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER}

// Takes over `path`, which is from malloc.
void queue_add(struct queue *queue, char *path);

// The next path, which the caller frees, or NULL at the end of the work.
char *queue_take(struct queue *queue);

// Says that a path taken has been read to its end.
void queue_finish(struct queue *queue);
