#ifndef CSECRETS_H
#define CSECRETS_H

#include <stddef.h>
#include <stdint.h>

/// Returns the first position in [from, end) at which three bytes have a bit in the table; end if there is none. The table has
/// 65,536 bits, for the upper half of the product of the bytes (in little endian) and 2654435761.
///
/// In C, because a loop over bytes takes twenty times as long in a debug build of Swift.
ptrdiff_t csecrets_next(const uint8_t *table, const void *bytes, ptrdiff_t from, ptrdiff_t end);

#endif
