#ifndef DARWIN_POLL_H
#define DARWIN_POLL_H

// Source: poll(2)
#define POLLIN 0x0001
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020
struct pollfd {
    int fd;
    short events;
    short revents;
};
typedef unsigned int nfds_t;
int poll(struct pollfd *, nfds_t, int);

#endif
