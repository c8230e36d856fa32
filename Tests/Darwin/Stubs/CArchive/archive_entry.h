#ifndef ARCHIVE_ENTRY_STUB_H
#define ARCHIVE_ENTRY_STUB_H

// The declarations of libarchive's entries in use. The types are those of macOS.
#include <archive.h>

#define AE_IFREG 0100000
#define AE_IFLNK 0120000
#define AE_IFDIR 0040000

unsigned short archive_entry_filetype(struct archive_entry *entry);
unsigned short archive_entry_perm(struct archive_entry *entry);
const char *archive_entry_pathname(struct archive_entry *entry);
const char *archive_entry_hardlink(struct archive_entry *entry);
const char *archive_entry_symlink(struct archive_entry *entry);
int archive_entry_is_encrypted(struct archive_entry *entry);
long archive_entry_mtime(struct archive_entry *entry);
long archive_entry_mtime_nsec(struct archive_entry *entry);
int archive_entry_mtime_is_set(struct archive_entry *entry);
int64_t archive_entry_size(struct archive_entry *entry);
int archive_entry_size_is_set(struct archive_entry *entry);
int archive_entry_xattr_reset(struct archive_entry *entry);
int archive_entry_xattr_next(struct archive_entry *entry, const char **name, const void **value, size_t *size);

#endif
