#pragma once

#include <pthread.h>
#include <stddef.h>

// The directories to read, shared by all threads. The newest comes first: its parent is still in the cache of
// the processor, and the length of the queue is limited by the depth of the tree times the width of a directory.
struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    char **paths;
    size_t count;
    size_t capacity;
    // The number of queued and current directories. At 0, no further one can be added.
    size_t unfinished;
};

#define QUEUE_INITIALIZER {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER}

// Adds `path`, which was allocated with malloc, and owns it.
void queue_add(struct queue *queue, char *path);

// Returns the next path, which the caller frees, or NULL at the end.
char *queue_take(struct queue *queue);

// Marks a path of the queue as completely read.
void queue_finish(struct queue *queue);
