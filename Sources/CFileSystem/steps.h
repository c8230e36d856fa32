#ifndef STEPS_H
#define STEPS_H

#include <stdbool.h>

/// Renames without an exclusive call of the kernel, for file systems that lack it (exFAT, SMB, NFS, 9p, some FUSE).
/// Returns -EEXIST if the name is taken. See cfs_rename_new.
int rename_new_in_steps(int from_directory, const char *from, int to_directory, const char *to);
/// Returns true if both names are spellings of one entry of one directory, as "a" and "A" on a volume that ignores case.
/// False for two hard links.
bool is_other_spelling(int from_directory, const char *from, int to_directory, const char *to);

#endif
