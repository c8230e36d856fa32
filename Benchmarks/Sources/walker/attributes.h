#pragma once

#include <stdbool.h>

// The current position of a worker in the tree.
struct place {
    int folder;
    // The working directory of the worker is `folder`.
    bool inside;
};

// Returns true if the item `name` in `place` is excluded from backup. Ends the process on an error.
bool is_flagged(const struct place *place, const char *name);
