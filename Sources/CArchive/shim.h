// libarchive, with what Swift cannot import: macros with casts, and the locale of a thread.
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <stddef.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

/// The kind of an entry.
enum { CARCHIVE_FILE, CARCHIVE_DIRECTORY, CARCHIVE_SYMBOLIC_LINK, CARCHIVE_OTHER };

static inline int carchive_kind(struct archive_entry *entry) {
    switch (archive_entry_filetype(entry)) {
    case AE_IFREG: return CARCHIVE_FILE;
    case AE_IFDIR: return CARCHIVE_DIRECTORY;
    case AE_IFLNK: return CARCHIVE_SYMBOLIC_LINK;
    default: return CARCHIVE_OTHER;
    }
}

/// The locale of a thread before carchive_begin_bytes.
typedef struct {
    locale_t bytes;
    locale_t previous;
} carchive_locale;

/// Uses the "C" locale in this thread: libarchive converts names to the character set of the locale. In a UTF-8 locale it
/// also composes characters, so that a decomposed name of macOS becomes another name.
static inline carchive_locale carchive_begin_bytes(void) {
    carchive_locale locale = {newlocale(LC_CTYPE_MASK, "C", (locale_t)0), (locale_t)0};
    if (locale.bytes) locale.previous = uselocale(locale.bytes);
    return locale;
}

static inline void carchive_end_bytes(carchive_locale locale) {
    if (!locale.bytes) return;
    uselocale(locale.previous);
    freelocale(locale.bytes);
}
