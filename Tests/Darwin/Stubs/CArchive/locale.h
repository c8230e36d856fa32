#ifndef LOCALE_STUB_H
#define LOCALE_STUB_H

// The locales of threads, as macOS declares them.
typedef struct _xlocale *locale_t;

#define LC_CTYPE_MASK (1 << 1)

locale_t newlocale(int mask, const char *name, locale_t base);
locale_t uselocale(locale_t locale);
int freelocale(locale_t locale);

#endif
