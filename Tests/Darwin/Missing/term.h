#ifndef DARWIN_TERM_H
#define DARWIN_TERM_H

// Source: curs_terminfo(3)
char *tigetstr(char *);

#endif
