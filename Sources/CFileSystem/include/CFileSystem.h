/// The kernel calls that Swift's own modules hide, under one spelling for Linux and Darwin.
///
/// Every call returns 0 or a count, or the negated errno. None of them retries, allocates behind the
/// caller's back, or follows a symbolic link in the last component of a path, unless it says so.
#ifndef CFILESYSTEM_H
#define CFILESYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What an entry of a directory is.
enum {
    CFS_UNKNOWN = 0,
    CFS_FILE = 1,
    CFS_DIRECTORY = 2,
    CFS_SYMBOLIC_LINK = 3,
    CFS_FIFO = 4,
    CFS_SOCKET = 5,
    CFS_CHARACTER_DEVICE = 6,
    CFS_BLOCK_DEVICE = 7,
};

/// Seconds and nanoseconds since 1970-01-01T00:00:00Z.
typedef struct {
    int64_t seconds;
    uint32_t nanoseconds;
} cfs_time;

typedef struct {
    uint8_t kind;
    bool no_dump;
    bool has_birth;
    uint16_t permissions;
    uint32_t links;
    uint32_t user;
    uint32_t group;
    uint64_t size;
    uint64_t allocated;
    uint64_t inode;
    uint64_t device;
    cfs_time accessed;
    cfs_time modified;
    cfs_time changed;
    cfs_time birth;
} cfs_status;

/// One statx (Linux) or fstatat (Darwin). An empty name means the descriptor itself.
int cfs_status_at(int directory, const char *name, cfs_status *status);

/// How to open; always close-on-exec, never a controlling terminal, never waiting for a FIFO's other end.
static const int CFS_READ = 1;
static const int CFS_WRITE = 2;
static const int CFS_CREATE_NEW = 4;
static const int CFS_AS_DIRECTORY = 8;
static const int CFS_NO_FOLLOW = 16;
/// Leave the access time alone where the kernel allows it, else open as usual.
static const int CFS_QUIETLY = 32;
/// Refuse a symbolic link anywhere in the path (cfs_open_beneath only).
static const int CFS_NO_LINKS = 64;
/// Each write goes to the end of the file.
static const int CFS_APPEND = 128;

int cfs_open_at(int directory, const char *path, int how, uint32_t permissions);
/// The same beneath `directory`, by openat2; -ENOSYS where the kernel has no such call.
int cfs_open_beneath(int directory, const char *path, int how, uint32_t permissions);
/// True once this process has opened a file, or begun to list a directory, whose access time it could not ask the kernel
/// to keep, on a file system that keeps access times. Always false on Darwin, which has no way to ask.
bool cfs_moves_access_times(void);
/// The process's current directory, as a place to start from.
int cfs_current_directory(void);
/// What to name entries of `directory` by from now on, on this thread of cfs_run_threads: its current
/// directory, of which Linux gives a thread one of its own, or the descriptor itself.
int cfs_work_in(int directory);

int cfs_close(int descriptor);
long cfs_read(int descriptor, void *bytes, size_t count, uint64_t offset);
long cfs_write(int descriptor, const void *bytes, size_t count);
/// Writes at `offset`, and leaves the place where `cfs_write` goes on as it is.
long cfs_write_at(int descriptor, const void *bytes, size_t count, uint64_t offset);
int cfs_set_size(int descriptor, uint64_t size);
/// Where content begins at or after `offset`; -ENXIO where only a hole follows.
int64_t cfs_next_data(int descriptor, uint64_t offset);
/// Has the kernel begin to write a range out, without waiting for it; 0 where there is no such call.
int cfs_start_writing(int descriptor, uint64_t offset, uint64_t count);
/// Down to the medium: fsync, or F_FULLFSYNC on Darwin.
int cfs_sync(int descriptor);
/// Flushes the content and the size of a file to disk: fdatasync, or F_FULLFSYNC on Darwin.
int cfs_sync_data(int descriptor);
/// All that the file system of the descriptor has yet to bring down; -ENOTSUP where the system has no such call.
int cfs_sync_file_system(int descriptor);
int cfs_rename(int from_directory, const char *from, int to_directory, const char *to);
/// -EEXIST when the new name is taken.
int cfs_rename_new(int from_directory, const char *from, int to_directory, const char *to);
/// Each takes the other's name in one step.
int cfs_exchange(int from_directory, const char *from, int to_directory, const char *to);
int cfs_remove(int directory, const char *name, bool is_directory);
int cfs_make_directory(int directory, const char *name, uint32_t permissions);
int cfs_make_link(int directory, const char *name, const char *target);
/// Another name for what is not a directory; a symbolic link itself, not its target.
int cfs_add_name(int from_directory, const char *from, int to_directory, const char *to);
/// A new file with `from`'s content, which the two share on the disk until one of them is written; -EOPNOTSUPP, -EXDEV
/// or -EINVAL where they cannot, and nothing is left.
int cfs_clone_file(int from, int to_directory, const char *to);
/// The absolute path without links of a directory that is open, 0 and its bytes closed by a NUL.
int cfs_path_of(int directory, char *path, size_t count);
int cfs_make_fifo(int directory, const char *name, uint32_t permissions);
long cfs_read_link(int directory, const char *name, char *target, size_t count);
int cfs_set_owner(int descriptor, uint32_t user, uint32_t group);
/// Of an entry itself, which may be a link.
int cfs_set_link_owner(int directory, const char *name, uint32_t user, uint32_t group);
int cfs_set_permissions(int descriptor, uint16_t permissions);
int cfs_set_times(int descriptor, cfs_time accessed, cfs_time modified);
/// Sets the owner's "leave out of dumps" bit.
int cfs_set_no_dump(int descriptor);
int cfs_set_link_times(int directory, const char *name, cfs_time accessed, cfs_time modified);

/// Maps a file's first `count` bytes, at least one, for reading; cfs_unmap with the same count ends it.
int cfs_map(int descriptor, size_t count, void **address);
void cfs_unmap(void *address, size_t count);

/// Bytes of the disk that holds what the descriptor has open: all, free, and free to this user.
typedef struct {
    uint64_t total, free, available;
} cfs_space;
int cfs_space_of(int descriptor, cfs_space *space);

/// A lock on what the descriptor has open, held by the open file description: it ends when the last
/// descriptor of it is closed, however the process ends. Does not wait; -EWOULDBLOCK where another has it.
/// A directory can be locked too, which fcntl's F_OFD_SETLK cannot do exclusively; hence flock.
int cfs_lock(int descriptor, bool exclusive);
/// Releases the lock of the descriptor.
int cfs_unlock(int descriptor);
/// A process that holds such a lock on an inode; 0 where none is to be seen from here.
int cfs_lock_holder(uint64_t device, uint64_t inode);

/// The data-protection class of a file or directory, from 1 (A); -ENOTSUP where the system has none.
int cfs_protection_class(int descriptor);
int cfs_set_protection_class(int descriptor, int protection_class);

/// Changes to the entries of directories. Calls on one watch are made on one thread, except cfs_watch_stop.
typedef struct cfs_watch cfs_watch;
enum {
    CFS_WATCH_STOPPED = 0,
    /// An entry appeared, was replaced, or its content or attributes changed.
    CFS_WATCH_CHANGED = 1,
    /// An entry was removed or renamed.
    CFS_WATCH_REMOVED = 2,
    /// The watched directory itself was removed or renamed.
    CFS_WATCH_SELF_REMOVED = 3,
    /// The directory is not watched any more.
    CFS_WATCH_ENDED = 4,
    /// The kernel lost changes.
    CFS_WATCH_OVERFLOW = 5,
};
typedef struct {
    int kind;
    /// The directory, as cfs_watch_add returned it.
    int directory;
    bool is_directory;
    /// True if the entry has this name only now.
    bool is_new;
    char name[256];
    size_t length;
} cfs_change;
/// 0 and a watch; -ENOTSUP where the system has none, and the caller polls.
int cfs_watch_make(cfs_watch **watch);
/// Begins to watch the entries of an open directory and returns a number for it, which is the same for the same directory.
int cfs_watch_add(cfs_watch *watch, int directory);
void cfs_watch_remove(cfs_watch *watch, int directory);
/// Waits for the next change. Returns 0 with its kind, or the negated errno.
int cfs_watch_next(cfs_watch *watch, cfs_change *change);
/// Ends the wait, now and for ever. May be called on any thread.
void cfs_watch_stop(cfs_watch *watch);
void cfs_watch_free(cfs_watch *watch);

/// Extended attributes, by descriptor (name NULL or empty) or by a name in a directory, links not followed.
/// `list` gives NUL-terminated names as the kernel spells them.
long cfs_list_attributes(int directory, const char *name, char *names, size_t count);
long cfs_read_attribute(int directory, const char *name, const char *attribute, void *value, size_t count);
int cfs_write_attribute(int directory, const char *name, const char *attribute, const void *value, size_t count);
int cfs_remove_attribute(int directory, const char *name, const char *attribute);
/// What the kernel puts before a user's attribute name: "user." on Linux, nothing on Darwin.
extern const char *const cfs_attribute_prefix;

/// Every attribute of `from` onto `to`, but for access control lists, by libattr (Darwin: fcopyfile).
/// A security label that this process may not set is passed over; any other failure is an error.
/// `has_access_list` tells whether cfs_copy_access_list has work left.
int cfs_copy_attributes(int from, int to, bool *has_access_list);
int cfs_copy_access_list(int from, int to);
/// Takes away the lists that a new file or directory gets from the one it is made in.
int cfs_remove_access_list(int descriptor);

/// Reading a directory: names in the kernel's order, "." and ".." left out.
typedef struct cfs_directory cfs_directory;
typedef struct {
    const char *name;
    size_t length;
    uint8_t kind;
} cfs_entry;
/// Takes the descriptor over; it is closed with the directory. NULL when memory is short.
cfs_directory *cfs_directory_take(int descriptor);
/// 1 and the entry, whose name lives until the next call; 0 at the end.
int cfs_directory_next(cfs_directory *directory, cfs_entry *entry);
void cfs_directory_close(cfs_directory *directory);

/// A lock with a condition, and threads that are joined before the call returns.
typedef struct cfs_monitor cfs_monitor;
cfs_monitor *cfs_monitor_make(void);
void cfs_monitor_lock(cfs_monitor *monitor);
void cfs_monitor_unlock(cfs_monitor *monitor);
void cfs_monitor_wait(cfs_monitor *monitor);
void cfs_monitor_wake_all(cfs_monitor *monitor);
void cfs_monitor_free(cfs_monitor *monitor);
/// Runs `body(context)` on `count` new threads and waits for all of them; on this one where none can be made.
int cfs_run_threads(int count, void (*body)(void *), void *context);
/// A number that no other thread has while this one lives.
uint64_t cfs_thread(void);
/// The processors this process may use.
int cfs_processor_count(void);

/// Seconds since 1970-01-01T00:00:00Z by the system's clock; nanoseconds of a clock that only goes forward.
cfs_time cfs_now(void);
uint64_t cfs_uptime_nanoseconds(void);
/// Sleeps; a signal may cut it short.
void cfs_pause(uint32_t milliseconds);
/// 64 bits from the kernel's random source.
uint64_t cfs_random(void);
/// Whether so many bytes of memory could be had at this moment.
bool cfs_can_allocate(size_t count);
bool cfs_is_terminal(int descriptor);
/// The columns of the terminal that the descriptor is; 0 where it is none or does not say.
int cfs_terminal_columns(int descriptor);
/// From now on SIGINT, SIGTERM and SIGHUP call `end(signal)`, which is to end the process, on a thread of its own; a second
/// one ends the process at once. What the process was started to ignore it ignores. A pipe that no one reads any more is an
/// error (EPIPE) and no signal.
int cfs_handle_termination_signals(void (*end)(int signal));
/// Returns if no such signal has come; else the thread that ends the process is waited for, and never returned from.
void cfs_wait_if_terminating(void);
int cfs_process_id(void);
/// The number of the user whose rights this process has.
uint32_t cfs_user(void);

#endif
