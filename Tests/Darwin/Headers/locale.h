#ifndef DARWIN_LOCALE_H
#define DARWIN_LOCALE_H

// Source: setlocale(3)
#define LC_CTYPE 2
char *setlocale(int, const char *);

#endif
