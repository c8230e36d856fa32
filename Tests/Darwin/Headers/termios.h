#ifndef DARWIN_TERMIOS_H
#define DARWIN_TERMIOS_H

// Source: termios(4), tcsetattr(3)
typedef unsigned char cc_t;
typedef unsigned long speed_t;
typedef unsigned long tcflag_t;

#define NCCS 20
#define ECHO 0x00000008
#define ICANON 0x00000100
#define TCSADRAIN 1
#define TCSAFLUSH 2

struct termios {
    tcflag_t c_iflag;
    tcflag_t c_oflag;
    tcflag_t c_cflag;
    tcflag_t c_lflag;
    cc_t c_cc[NCCS];
    speed_t c_ispeed;
    speed_t c_ospeed;
};

int tcgetattr(int, struct termios *);
int tcsetattr(int, int, const struct termios *);

#endif
