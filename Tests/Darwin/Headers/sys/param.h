#ifndef DARWIN_SYS_PARAM_H
#define DARWIN_SYS_PARAM_H

// Source: getwd(3)
#define MAXPATHLEN 1024

#endif
