#ifndef ARCHIVE_STUB_H
#define ARCHIVE_STUB_H

// The declarations of libarchive in use.
#include <stddef.h>
#include <stdint.h>

struct archive;
struct archive_entry;

#define ARCHIVE_EOF 1
#define ARCHIVE_OK 0
#define ARCHIVE_FILTER_GZIP 1
#define ARCHIVE_FILTER_BZIP2 2
#define ARCHIVE_FILTER_XZ 6
#define ARCHIVE_FILTER_ZSTD 14
#define ARCHIVE_RETRY (-10)
#define ARCHIVE_WARN (-20)
#define ARCHIVE_FATAL (-30)

const char *archive_zlib_version(void);
const char *archive_bzlib_version(void);
const char *archive_liblzma_version(void);
const char *archive_libzstd_version(void);

struct archive *archive_read_new(void);
int archive_read_append_filter(struct archive *archive, int filter);
int archive_read_support_format_tar(struct archive *archive);
int archive_read_support_format_zip_seekable(struct archive *archive);
int archive_read_set_format_option(
    struct archive *archive, const char *module, const char *option, const char *value);
int archive_read_open_fd(struct archive *archive, int descriptor, size_t block_size);
int archive_read_open_memory(struct archive *archive, const void *bytes, size_t size);
int archive_read_next_header(struct archive *archive, struct archive_entry **entry);
int archive_read_data_block(struct archive *archive, const void **bytes, size_t *size, int64_t *offset);
int archive_read_free(struct archive *archive);
int64_t archive_filter_bytes(struct archive *archive, int filter);
int archive_format(struct archive *archive);
const char *archive_error_string(struct archive *archive);

#endif
