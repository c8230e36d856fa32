#ifndef DARWIN_SYS_EVENT_H
#define DARWIN_SYS_EVENT_H

#include <stdint.h>
#include <sys/_timespec.h>
// Source: kqueue(2)
struct kevent {
    uintptr_t ident;
    int16_t filter;
    uint16_t flags;
    uint32_t fflags;
    intptr_t data;
    void *udata;
};
#define EVFILT_VNODE (-4)
#define EVFILT_USER (-10)
#define EV_ADD 0x0001
#define EV_CLEAR 0x0020
#define NOTE_DELETE 0x00000001
#define NOTE_WRITE 0x00000002
#define NOTE_RENAME 0x00000020
#define NOTE_REVOKE 0x00000040
#define NOTE_TRIGGER 0x01000000
#define EV_SET(event, identifier, kind, action, fine, number, context)                                                 \
    (*(event) = (struct kevent){(uintptr_t)(identifier), (kind), (action), (fine), (number), (context)})
int kqueue(void);
int kevent(int, const struct kevent *, int, struct kevent *, int, const struct timespec *);

#endif
