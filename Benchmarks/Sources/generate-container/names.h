#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "random.h"

enum { NAME_CAPACITY = 64, CONTENT_CAPACITY = 64 };

enum kind { JPEG, JSON, DATA, PROPERTY_LIST, TEXT, HTML, SQLITE, PDF, HASHED };

enum kind seeded_kind(struct random *random, bool caches);

// `serial` is the index of the file in its directory, which makes its name unique.
void seeded_name(struct random *random, enum kind kind, unsigned serial, char name[NAME_CAPACITY]);

// Writes valid content of the kind to `content`, and returns its length.
size_t seeded_content(struct random *random, enum kind kind, unsigned char content[CONTENT_CAPACITY]);
