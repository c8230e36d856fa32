#ifndef DARWIN_SYS_IOCTL_H
#define DARWIN_SYS_IOCTL_H

// Source: tty(4), ioctl(2)
struct winsize {
    unsigned short ws_row;
    unsigned short ws_col;
    unsigned short ws_xpixel;
    unsigned short ws_ypixel;
};
#define TIOCGWINSZ 0x40087468
int ioctl(int, unsigned long, ...);

#endif
