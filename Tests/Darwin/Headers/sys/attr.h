#ifndef DARWIN_SYS_ATTR_H
#define DARWIN_SYS_ATTR_H

#include <stdint.h>
// Source: getattrlist(2)
typedef uint32_t attrgroup_t;
struct attrlist {
    unsigned short bitmapcount;
    uint16_t reserved;
    attrgroup_t commonattr;
    attrgroup_t volattr;
    attrgroup_t dirattr;
    attrgroup_t fileattr;
    attrgroup_t forkattr;
};
#define ATTR_BIT_MAP_COUNT 5
typedef struct attribute_set {
    attrgroup_t commonattr;
    attrgroup_t volattr;
    attrgroup_t dirattr;
    attrgroup_t fileattr;
    attrgroup_t forkattr;
} attribute_set_t;
#define FSOPT_NOFOLLOW 0x00000001
#define FSOPT_ATTR_CMN_EXTENDED 0x00000020
#define ATTR_CMN_RETURNED_ATTRS 0x80000000
#define ATTR_CMNEXT_EXT_FLAGS 0x00000200

#endif
