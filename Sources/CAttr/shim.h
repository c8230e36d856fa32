#include <stddef.h>
#include <attr/error_context.h>
#include <attr/libattr.h>
