#ifndef ZSTD_STUB_H
#define ZSTD_STUB_H

// The declarations of zstd in use.
#include <stddef.h>

typedef struct ZSTD_CCtx_s ZSTD_CCtx;
typedef struct ZSTD_DCtx_s ZSTD_DCtx;
typedef enum { ZSTD_c_compressionLevel = 100 } ZSTD_cParameter;

#define ZSTD_CONTENTSIZE_UNKNOWN (0ULL - 1)
#define ZSTD_CONTENTSIZE_ERROR (0ULL - 2)

unsigned ZSTD_isError(size_t code);
const char *ZSTD_getErrorName(size_t code);
size_t ZSTD_compressBound(size_t size);
ZSTD_CCtx *ZSTD_createCCtx(void);
size_t ZSTD_freeCCtx(ZSTD_CCtx *context);
size_t ZSTD_CCtx_setParameter(ZSTD_CCtx *context, ZSTD_cParameter parameter, int value);
size_t ZSTD_compress2(ZSTD_CCtx *context, void *target, size_t capacity, const void *source, size_t size);
ZSTD_DCtx *ZSTD_createDCtx(void);
size_t ZSTD_freeDCtx(ZSTD_DCtx *context);
unsigned long long ZSTD_getFrameContentSize(const void *source, size_t size);
size_t ZSTD_decompressDCtx(ZSTD_DCtx *context, void *target, size_t capacity, const void *source, size_t size);

#endif
