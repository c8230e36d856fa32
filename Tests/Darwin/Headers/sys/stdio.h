#ifndef DARWIN_SYS_STDIO_H
#define DARWIN_SYS_STDIO_H

// Source: rename(2)
#define RENAME_SWAP 0x00000002
#define RENAME_EXCL 0x00000004
int renameat(int, const char *, int, const char *);
int renameatx_np(int, const char *, int, const char *, unsigned int);

#endif
