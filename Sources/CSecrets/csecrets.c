#include "csecrets.h"

ptrdiff_t csecrets_next(const uint8_t *table, const void *bytes, ptrdiff_t from, ptrdiff_t end) {
    const uint8_t *text = bytes;
    for (ptrdiff_t position = from; position + 2 < end; position++) {
        uint32_t word = (uint32_t)text[position] | (uint32_t)text[position + 1] << 8 | (uint32_t)text[position + 2] << 16;
        uint32_t hash = (word * UINT32_C(2654435761)) >> 16;
        if (table[hash >> 3] & (1u << (hash & 7))) return position;
    }
    return end;
}
