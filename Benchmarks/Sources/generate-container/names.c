#include "names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HASHED_ONE_IN = 10 };

struct share {
    enum kind kind;
    unsigned percent;
};

static const struct share shares[] = {
    {JPEG, 32}, {JSON, 22}, {DATA, 16}, {PROPERTY_LIST, 9}, {TEXT, 8}, {HTML, 6}, {PDF, 4}, {SQLITE, 3},
};

enum kind seeded_kind(struct random *random, bool caches) {
    if (caches && random_below(random, HASHED_ONE_IN) == 0) return HASHED;
    unsigned rest = (unsigned)random_below(random, 100);
    size_t i = 0;
    while (rest >= shares[i].percent) rest -= shares[i++].percent;
    return shares[i].kind;
}

static void hashed_name(struct random *random, char name[NAME_CAPACITY]) {
    // Drawn separately, because C does not define the order in which arguments are evaluated.
    const uint64_t high = random_next(random);
    const uint64_t low = random_next(random);
    snprintf(name, NAME_CAPACITY, "%016" PRIx64 "%016" PRIx64, high, low);
}

void seeded_name(struct random *random, enum kind kind, unsigned serial, char name[NAME_CAPACITY]) {
    const unsigned detail = (unsigned)random_below(random, 10000);
    switch (kind) {
    case JPEG: snprintf(name, NAME_CAPACITY, "IMG_%04u_%u.jpg", detail, serial); break;
    case JSON: snprintf(name, NAME_CAPACITY, "feed-%u-page%u.json", detail, serial); break;
    case DATA: snprintf(name, NAME_CAPACITY, "segment.%04u.%03u.dat", detail, serial); break;
    case PROPERTY_LIST: snprintf(name, NAME_CAPACITY, "com.example.bench.item%u.%u.plist", detail, serial); break;
    case TEXT: snprintf(name, NAME_CAPACITY, "Note %u (%u).txt", detail, serial); break;
    case HTML: snprintf(name, NAME_CAPACITY, "article_%u_%u.html", serial, detail); break;
    case SQLITE: snprintf(name, NAME_CAPACITY, "index-%03u-%u.sqlite", serial, detail); break;
    case PDF: snprintf(name, NAME_CAPACITY, "Invoice %04u-%u.pdf", detail, serial); break;
    case HASHED: hashed_name(random, name); break;
    }
}

static size_t noise(struct random *random, unsigned char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) bytes[i] = (unsigned char)random_next(random);
    return length;
}

static size_t words(struct random *random, char *text, size_t length) {
    for (size_t i = 0; i < length; i++) text[i] = "etaoin shrdlu"[random_below(random, 13)];
    return length;
}

// The smallest binary property list: an empty dictionary.
static const unsigned char empty_dictionary[42] = {
    'b', 'p', 'l', 'i', 's', 't', '0', '0', 0xd0, 8, [16] = 1, [17] = 1, [25] = 1, [41] = 9,
};

static size_t prefixed(
    struct random *random, const char *prefix, size_t prefix_length, unsigned char content[CONTENT_CAPACITY]
) {
    memcpy(content, prefix, prefix_length);
    const size_t rest = 1 + random_below(random, CONTENT_CAPACITY - prefix_length);
    return prefix_length + noise(random, content + prefix_length, rest);
}

size_t seeded_content(struct random *random, enum kind kind, unsigned char content[CONTENT_CAPACITY]) {
    char *text = (char *)content;
    switch (kind) {
    case JPEG: return prefixed(random, "\xff\xd8\xff\xe0", 4, content);
    case PDF: return prefixed(random, "%PDF-1.7\n", 9, content);
    case JSON: return (size_t)snprintf(text, CONTENT_CAPACITY, "{\"id\": %" PRIu64 "}\n", random_next(random));
    case HTML: return (size_t)snprintf(text, CONTENT_CAPACITY, "<p>%" PRIx64 "</p>\n", random_next(random));
    case TEXT: return words(random, text, 1 + random_below(random, CONTENT_CAPACITY));
    case PROPERTY_LIST: memcpy(content, empty_dictionary, sizeof empty_dictionary); return sizeof empty_dictionary;
    // The only database of less than 64 bytes is an empty file, a database without tables.
    case SQLITE: return 0;
    case DATA:
    case HASHED: break;
    }
    return noise(random, content, 1 + random_below(random, CONTENT_CAPACITY));
}
