#include "queue.h"

#include <stdlib.h>

void queue_add(struct queue *queue, char *path) {
    pthread_mutex_lock(&queue->mutex);
    if (queue->count == queue->capacity) {
        queue->capacity = queue->capacity == 0 ? 256 : queue->capacity * 2;
        queue->paths = realloc(queue->paths, queue->capacity * sizeof *queue->paths);
        if (queue->paths == NULL) abort();
    }
    queue->paths[queue->count++] = path;
    queue->unfinished += 1;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}

char *queue_take(struct queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    while (queue->count == 0 && queue->unfinished > 0) pthread_cond_wait(&queue->changed, &queue->mutex);
    char *path = queue->count > 0 ? queue->paths[--queue->count] : NULL;
    pthread_mutex_unlock(&queue->mutex);
    return path;
}

void queue_finish(struct queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->unfinished -= 1;
    if (queue->unfinished == 0) pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}
