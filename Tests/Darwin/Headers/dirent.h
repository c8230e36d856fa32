#ifndef DARWIN_DIRENT_H
#define DARWIN_DIRENT_H

#include <sys/_types.h>
// Source: dir(5)
struct dirent {
    darwin_ino_t d_ino;
    unsigned long long d_seekoff;
    unsigned short d_reclen;
    unsigned short d_namlen;
    unsigned char d_type;
    char d_name[1024];
};
typedef struct darwin_directory DIR;
#define DT_UNKNOWN 0
#define DTTOIF(type) ((type) << 12)
// Source: directory(3)
DIR *fdopendir(int);
struct dirent *readdir(DIR *);
int closedir(DIR *);

#endif
