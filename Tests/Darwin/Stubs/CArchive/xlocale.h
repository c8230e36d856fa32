// macOS declares the locales of threads here. The stub declares them in locale.h.
#include <locale.h>
