#pragma once

#include <stdbool.h>

// Where a worker stands in the tree.
struct place {
    int folder;
    // The worker has a current directory of its own, and it is `folder`.
    bool inside;
};

// Whether the item `name` in `place` carries the do-not-back-up flag. Ends the process on an error.
bool is_flagged(const struct place *place, const char *name);
