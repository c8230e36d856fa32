#ifndef DARWIN_SYS_ACL_H
#define DARWIN_SYS_ACL_H

// Source: acl(3), acl_get(3), acl_set(3), acl_free(3)
typedef struct darwin_acl *acl_t;
typedef enum { ACL_TYPE_EXTENDED = 0x00000100 } acl_type_t;
acl_t acl_get_fd_np(int, acl_type_t);
int acl_set_fd_np(int, acl_t, acl_type_t);
int acl_free(void *);

#endif
