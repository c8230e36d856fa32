/// System calls that Swift's modules do not provide, with the same interface on Linux and Darwin.
///
/// Every function returns 0, a count, or the negated errno. Unless stated otherwise, none of them retries, allocates
/// memory, or follows a symbolic link in the last component of a path.
#ifndef CFILESYSTEM_H
#define CFILESYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The kind of a directory entry.
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
    /// True if the content is not on this disk, as of a file that iCloud has evicted (SF_DATALESS). Always false on Linux.
    bool dataless;
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

/// Prevents this process from downloading content that is not on this disk: opening or listing such an item fails with
/// EDEADLK. Also preserves access times where that is a property of the process. Returns 0. Does nothing on Linux.
int cfs_leave_files_untouched(void);

/// Reads a status with one statx (Linux) or fstatat (Darwin). An empty name stands for the descriptor itself.
int cfs_status_at(int directory, const char *name, cfs_status *status);

/// Flags for opening. Files are always opened close-on-exec, not as a controlling terminal, and without waiting for the
/// other end of a FIFO.
static const int CFS_READ = 1;
static const int CFS_WRITE = 2;
static const int CFS_CREATE_NEW = 4;
static const int CFS_AS_DIRECTORY = 8;
static const int CFS_NO_FOLLOW = 16;
/// Preserves the access time if the kernel allows it; otherwise opens normally.
static const int CFS_QUIETLY = 32;
/// Refuses a symbolic link anywhere in the path (cfs_open_beneath only).
static const int CFS_NO_LINKS = 64;
/// Each write goes to the end of the file.
static const int CFS_APPEND = 128;

int cfs_open_at(int directory, const char *path, int how, uint32_t permissions);
/// Opens a path beneath `directory` with openat2. Returns -ENOSYS if the kernel does not have that call. Always on Darwin:
/// its O_RESOLVE_BENEATH is ignored by kernels that do not know it, and O_NOFOLLOW_ANY refuses links that the caller allows.
int cfs_open_beneath(int directory, const char *path, int how, uint32_t permissions);
/// Returns true if this process has opened a file or listed a directory without preserving its access time, on a file
/// system that stores access times. On Darwin, true until cfs_leave_files_untouched has succeeded.
bool cfs_moves_access_times(void);
/// True if the status of a file shows whether its content was evicted (SF_DATALESS on Darwin). Linux has no such flag.
bool cfs_marks_evicted_files(void);
/// Returns a descriptor value that stands for the current directory of the process.
int cfs_current_directory(void);
/// Returns the descriptor with which this thread of cfs_run_threads accesses the entries of `directory` from now on. On
/// Linux it stands for the working directory of the thread, otherwise it is `directory` itself.
int cfs_work_in(int directory);

int cfs_close(int descriptor);
long cfs_read(int descriptor, void *bytes, size_t count, uint64_t offset);
/// Reads from a pipe or terminal. Returns the number of bytes, 0 at the end, or the error.
long cfs_read_next(int descriptor, void *bytes, size_t count);
long cfs_write(int descriptor, const void *bytes, size_t count);
/// Writes at `offset`. Does not change the position of `cfs_write`.
long cfs_write_at(int descriptor, const void *bytes, size_t count, uint64_t offset);
int cfs_set_size(int descriptor, uint64_t size);
/// Returns the offset of the next data at or after `offset`, or -ENXIO if only a hole follows.
int64_t cfs_next_data(int descriptor, uint64_t offset);
/// Requests that the kernel start writing a range to disk. Does not wait. Returns 0 if the system has no such call.
int cfs_start_writing(int descriptor, uint64_t offset, uint64_t count);
/// Flushes a file or directory to disk: fsync, or F_FULLFSYNC on Darwin.
int cfs_sync(int descriptor);
/// Flushes the content and the size of a file to disk: fdatasync, or F_FULLFSYNC on Darwin.
int cfs_sync_data(int descriptor);
/// Flushes the whole file system of the descriptor to disk: syncfs, or fsync_volume_np on Darwin. Returns -ENOTSUP or
/// -EOPNOTSUPP if the file system has no such call.
int cfs_sync_file_system(int descriptor);
int cfs_rename(int from_directory, const char *from, int to_directory, const char *to);
/// Renames an entry. Returns -EEXIST if the new name is taken. Another spelling of the same entry is not taken, as on a
/// volume that ignores case.
///
/// On a volume without such a call, a file is linked and its old name removed. Where that is also impossible, the name is
/// checked before the rename; an entry that another process creates in between is then replaced.
int cfs_rename_new(int from_directory, const char *from, int to_directory, const char *to);
/// Exchanges the names of two entries atomically.
int cfs_exchange(int from_directory, const char *from, int to_directory, const char *to);
int cfs_remove(int directory, const char *name, bool is_directory);
int cfs_make_directory(int directory, const char *name, uint32_t permissions);
int cfs_make_link(int directory, const char *name, const char *target);
/// Creates a hard link to an entry that is not a directory. Links a symbolic link itself, not its target.
int cfs_add_name(int from_directory, const char *from, int to_directory, const char *to);
/// Creates a file that shares the content of `from` on disk until one of them is written. If the file system does not
/// support that, returns -EOPNOTSUPP, -EXDEV or -EINVAL and creates nothing.
int cfs_clone_file(int from, int to_directory, const char *to);
/// Copies up to `count` bytes at `offset` of a file to the same offset of another one in the kernel, which shares blocks
/// between the files if the file system supports that. Returns the number of bytes, 0 at the end of the file, or
/// -EOPNOTSUPP, -ENOSYS, -EXDEV or -EINVAL if the kernel cannot copy between these files.
long cfs_copy_range(int from, int to, uint64_t offset, size_t count);
/// Writes the absolute path of an open directory, without links and terminated by a NUL, to `path`. Returns 0.
int cfs_path_of(int directory, char *path, size_t count);
/// Sets the mode of an entry. Follows a link, so that no other process may change the directory in the meantime.
int cfs_set_permissions_at(int directory, const char *name, uint16_t permissions);
int cfs_make_fifo(int directory, const char *name, uint32_t permissions);
long cfs_read_link(int directory, const char *name, char *target, size_t count);
int cfs_set_owner(int descriptor, uint32_t user, uint32_t group);
/// Sets the owner of an entry. Does not follow a link.
int cfs_set_link_owner(int directory, const char *name, uint32_t user, uint32_t group);
int cfs_set_permissions(int descriptor, uint16_t permissions);
/// Sets the mode of a directory that cannot be opened. Does not follow a link.
int cfs_set_permissions_of_directory(int directory, const char *name, uint16_t permissions);
int cfs_set_times(int descriptor, cfs_time accessed, cfs_time modified);
/// Sets the flag that excludes the entry from dumps.
int cfs_set_no_dump(int descriptor);
int cfs_set_link_times(int directory, const char *name, cfs_time accessed, cfs_time modified);

/// Maps the first `count` bytes of a file, at least one, for reading. cfs_unmap needs the same count.
int cfs_map(int descriptor, size_t count, void **address);
void cfs_unmap(void *address, size_t count);

/// The size of the descriptor's file system in bytes: in total, free, and available to this user. Space that the system can
/// free by deleting caches (purgeable space on Darwin) does not count as free.
typedef struct {
    uint64_t total, free, available;
} cfs_space;
int cfs_space_of(int descriptor, cfs_space *space);

/// Locks an open file or directory. The lock belongs to the open file description and is released when its last
/// descriptor is closed, however the process ends. Does not wait: returns -EWOULDBLOCK if another process or descriptor
/// holds it. Uses flock, because fcntl's F_OFD_SETLK cannot lock a directory exclusively.
int cfs_lock(int descriptor, bool exclusive);
/// Releases the lock of the descriptor.
int cfs_unlock(int descriptor);
/// Returns the ID of a process that holds such a lock on an inode, or 0 if none is visible. Of several, it is `preferred`
/// if that one holds the lock.
int cfs_lock_holder(uint64_t device, uint64_t inode, int preferred);

/// Acquires or releases a shared lock on bytes of a file, which may be beyond its end. It excludes the POSIX locks of other
/// programs (F_SETLK) and of this process, which SQLite uses, and belongs to the open file description: closing another
/// descriptor of the file does not release it. Does not wait: returns -EAGAIN if another holds an exclusive lock.
int cfs_lock_bytes(int descriptor, uint64_t start, uint64_t count, bool acquire);
/// Returns 1 if another holds an exclusive lock that begins at one of the bytes, or 0. A lock of the whole file does not count.
int cfs_excludes_readers(int descriptor, uint64_t start, uint64_t count);

/// Returns the first position in [from, end) whose three bytes are marked in the table, or end if there is none. The table has
/// 65,536 bits, indexed by the upper half of the product of the bytes (in little endian) and 2654435761.
///
/// In C, because a loop over bytes takes twenty times as long in a debug build of Swift.
ptrdiff_t cfs_next_marked(const uint8_t *table, const void *bytes, ptrdiff_t from, ptrdiff_t end);

/// Returns the first position in [from, end) after which content is divided, or end. A position is one if the bits of the mask
/// are zero in a sum of the table's words for the 64 bytes before it, each doubled with every byte that follows.
///
/// Source: W. Xia et al., FastCDC, USENIX ATC 2016 (the gear hash).
ptrdiff_t cfs_next_division(
    const uint64_t *table, uint64_t mask, const void *bytes, ptrdiff_t from, ptrdiff_t end);

/// Returns true if no process with the ID runs on this computer.
bool cfs_is_process_gone(int process);

/// Returns the data-protection class of a file or directory, from 1 (A), or -ENOTSUP if the system has none.
int cfs_protection_class(int descriptor);
int cfs_set_protection_class(int descriptor, int protection_class);

/// Returns 1 if the directory distinguishes names by case, 0 if it does not, or -ENOTSUP if the system does not provide
/// that.
int cfs_distinguishes_case(int directory);

/// Extended attributes of a descriptor (name NULL or empty) or of a directory entry. Links are not followed. Lists
/// contain NUL-terminated names as in the kernel. A value or list that does not fit is -ERANGE; a count of 0 returns the
/// size.
long cfs_list_attributes(int directory, const char *name, char *names, size_t count);
long cfs_read_attribute(int directory, const char *name, const char *attribute, void *value, size_t count);
int cfs_write_attribute(int directory, const char *name, const char *attribute, const void *value, size_t count);
int cfs_remove_attribute(int directory, const char *name, const char *attribute);
/// The prefix of user attribute names: "user." on Linux, empty on Darwin.
extern const char *const cfs_attribute_prefix;

/// Copies all attributes except access control lists, with libattr, or fcopyfile on Darwin. Skips a security label that this
/// process may not set; any other failure is an error. Sets `has_access_list` to true if `from` has access lists, which
/// cfs_copy_access_list copies.
int cfs_copy_attributes(int from, int to, bool *has_access_list);
int cfs_copy_access_list(int from, int to);
/// Removes the access lists that a new file or directory inherits from its parent.
int cfs_remove_access_list(int descriptor);

/// An open directory listing: names in the kernel's order, without "." and "..".
typedef struct cfs_directory cfs_directory;
typedef struct {
    const char *name;
    size_t length;
    uint8_t kind;
} cfs_entry;
/// Opens a listing of a descriptor, which it owns and closes. Returns NULL if memory is exhausted.
cfs_directory *cfs_directory_take(int descriptor);
/// Returns 1 and the next entry, or 0 at the end. The name is valid until the next call.
int cfs_directory_next(cfs_directory *directory, cfs_entry *entry);
void cfs_directory_close(cfs_directory *directory);

/// Changes to the entries of directories: inotify, or kqueue on Darwin, which does not report names. One thread calls
/// cfs_watch_next; the other functions may be called on any thread.
typedef struct cfs_watch cfs_watch;
enum {
    CFS_WATCH_STOPPED = 0,
    /// An entry appeared or was replaced, or its content or attributes changed.
    CFS_WATCH_CHANGED = 1,
    /// An entry was removed or renamed.
    CFS_WATCH_REMOVED = 2,
    /// The watched directory itself was removed or renamed.
    CFS_WATCH_SELF_REMOVED = 3,
    /// The directory is no longer watched.
    CFS_WATCH_ENDED = 4,
    /// The kernel lost changes.
    CFS_WATCH_OVERFLOW = 5,
};
typedef struct {
    int kind;
    /// The directory, as cfs_watch_add returned it; -1 if changes were lost.
    int directory;
    bool is_directory;
    /// True if the entry did not have this name before.
    bool is_new;
    /// True if the entry was removed by a rename.
    bool is_moved;
    /// The name of the entry. Empty if it is unknown.
    char name[256];
    size_t length;
} cfs_change;
/// True if changes have names.
extern const bool cfs_watch_reports_names;
/// Returns 0 and creates a watch without directories, or returns the negated errno.
int cfs_watch_make(cfs_watch **watch);
/// Starts to watch the entries of an open directory, which may then be closed. Returns a number for it, or the negated
/// errno. On Linux the number is the same for the same directory.
int cfs_watch_add(cfs_watch *watch, int directory);
void cfs_watch_remove(cfs_watch *watch, int directory);
/// Waits for the next change. Returns 0 with its kind, or the negated errno.
int cfs_watch_next(cfs_watch *watch, cfs_change *change);
/// Ends the current and all later waits.
void cfs_watch_stop(cfs_watch *watch);
void cfs_watch_free(cfs_watch *watch);

/// Starts a thread that is never joined. Threads that are started here have a stack of 8 MiB. Darwin's default is 512 KiB.
int cfs_start_thread(void (*body)(void *), void *context);

/// Reads a flag that threads share.
static inline bool cfs_load(const bool *flag) { return __atomic_load_n(flag, __ATOMIC_SEQ_CST); }
/// Writes a flag that threads share, and returns its old value.
static inline bool cfs_swap(bool *flag, bool value) { return __atomic_exchange_n(flag, value, __ATOMIC_SEQ_CST); }

/// A mutex with a condition variable.
typedef struct cfs_monitor cfs_monitor;
cfs_monitor *cfs_monitor_make(void);
void cfs_monitor_lock(cfs_monitor *monitor);
void cfs_monitor_unlock(cfs_monitor *monitor);
void cfs_monitor_wait(cfs_monitor *monitor);
void cfs_monitor_wake_all(cfs_monitor *monitor);
void cfs_monitor_free(cfs_monitor *monitor);
/// Runs `body(context)` on `count` new threads and waits for all of them. Runs it on this thread if none can be created.
int cfs_run_threads(int count, void (*body)(void *), void *context);
/// Returns a number that no other running thread has.
uint64_t cfs_thread(void);
/// Returns the number of processors that this process may use.
int cfs_processor_count(void);

/// Returns the time of the system clock, since 1970-01-01T00:00:00Z.
cfs_time cfs_now(void);
/// Returns the nanoseconds of a monotonic clock.
uint64_t cfs_uptime_nanoseconds(void);
/// Returns the same with a resolution of a few milliseconds. Several times faster.
uint64_t cfs_coarse_uptime_nanoseconds(void);
/// Sleeps. A signal may end the sleep early.
void cfs_pause(uint32_t milliseconds);
/// Returns 64 bits from the kernel's random source.
uint64_t cfs_random(void);
/// Returns true if `count` bytes of memory can currently be allocated.
bool cfs_can_allocate(size_t count);
bool cfs_is_terminal(int descriptor);
/// Returns the number of columns of a terminal, or 0 if the descriptor is not a terminal or the number is unknown.
int cfs_terminal_columns(int descriptor);
/// Reads the first `size` bytes of a file or pipe. Waits for the writer of a pipe.
long cfs_read_stream(int directory, const char *path, char *bytes, size_t size);
/// Writes a prompt to the terminal of the process, and reads a line, which the terminal does not show. Returns the number
/// of bytes, with the newline, or the error for a process without a terminal (-ENXIO, -ENOTTY or another one).
long cfs_ask_terminal(const char *prompt, char *bytes, size_t size);
/// Reads one byte from a terminal as soon as a key is pressed, without showing it. What an escape begins, such as the code of an
/// arrow key, is discarded. Returns 1, 0 at the end of the input, or the error.
long cfs_read_key(int descriptor, unsigned char *byte);
/// Lets the terminal show its input again, if a prompt has hidden it.
void cfs_restore_echo(void);
/// Installs handlers for SIGINT, SIGTERM and SIGHUP that call `end(signal)` on a separate thread; `end` must end the
/// process. A second signal ends the process immediately. Signals that were ignored when the process started stay ignored.
/// Ignores SIGPIPE, so that a write to a closed pipe fails with EPIPE.
int cfs_handle_termination_signals(void (*end)(int signal));
/// Returns immediately unless such a signal has arrived; in that case it waits for the end of the process.
void cfs_wait_if_terminating(void);
int cfs_process_id(void);
/// Returns the effective user ID.
uint32_t cfs_user(void);
/// Returns `NAME=VALUE` of the environment variable at an index, or NULL after the last one.
const char *cfs_variable(size_t index);
/// Writes the absolute path of the working directory with its NUL. Returns its length, or the error.
long cfs_working_directory(char *bytes, size_t size);

#endif
