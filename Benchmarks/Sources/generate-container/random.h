#pragma once

#include <stdint.h>

// A custom generator, because the generators of C libraries differ between systems.
struct random {
    uint64_t state;
};

static inline uint64_t random_next(struct random *random) {
    uint64_t mixed = random->state += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
}

static inline uint64_t random_below(struct random *random, uint64_t bound) {
    return random_next(random) % bound;
}
