package import CFileSystem

/// The system calls that open and change files, as values that a test can replace to inject failures.
///
/// Each returns a descriptor, a count or 0, or the negated errno, as the functions of the C target do.
package struct Syscalls: Sendable {
    package typealias Path = UnsafePointer<CChar>

    package var openBeneath: @Sendable (Int32, Path, Int32, UInt32) -> Int32 = { cfs_open_beneath($0, $1, $2, $3) }
    package var open: @Sendable (Int32, Path, Int32, UInt32) -> Int32 = { cfs_open_at($0, $1, $2, $3) }
    package var status: @Sendable (Int32, Path, UnsafeMutablePointer<cfs_status>) -> Int32 = {
        cfs_status_at($0, $1, $2)
    }
    package var write: @Sendable (Int32, UnsafeRawPointer, Int) -> Int = { cfs_write($0, $1, $2) }
    package var read: @Sendable (Int32, UnsafeMutableRawPointer, Int, UInt64) -> Int = { cfs_read($0, $1, $2, $3) }
    package var listAttributes: @Sendable (Int32, Path, UnsafeMutablePointer<CChar>?, Int) -> Int = {
        cfs_list_attributes($0, $1, $2, $3)
    }
    package var readAttribute: @Sendable (Int32, Path, Path, UnsafeMutableRawPointer?, Int) -> Int = {
        cfs_read_attribute($0, $1, $2, $3, $4)
    }
    package var writeAttribute: @Sendable (Int32, Path, Path, UnsafeRawPointer?, Int) -> Int32 = {
        cfs_write_attribute($0, $1, $2, $3, $4)
    }
    package var removeAttribute: @Sendable (Int32, Path, Path) -> Int32 = { cfs_remove_attribute($0, $1, $2) }
    package var copyAttributes: @Sendable (Int32, Int32, UnsafeMutablePointer<Bool>) -> Int32 = {
        cfs_copy_attributes($0, $1, $2)
    }
    package var copyAccessList: @Sendable (Int32, Int32) -> Int32 = { cfs_copy_access_list($0, $1) }
    package var removeAccessList: @Sendable (Int32) -> Int32 = { cfs_remove_access_list($0) }
    package var setOwner: @Sendable (Int32, UInt32, UInt32) -> Int32 = { cfs_set_owner($0, $1, $2) }
    package var setLinkOwner: @Sendable (Int32, Path, UInt32, UInt32) -> Int32 = {
        cfs_set_link_owner($0, $1, $2, $3)
    }
    package var setPermissions: @Sendable (Int32, UInt16) -> Int32 = { cfs_set_permissions($0, $1) }
    package var setTimes: @Sendable (Int32, cfs_time, cfs_time) -> Int32 = { cfs_set_times($0, $1, $2) }
    package var setLinkTimes: @Sendable (Int32, Path, cfs_time, cfs_time) -> Int32 = {
        cfs_set_link_times($0, $1, $2, $3)
    }
    package var setNoDump: @Sendable (Int32) -> Int32 = { cfs_set_no_dump($0) }
    package var startWriting: @Sendable (Int32, UInt64, UInt64) -> Int32 = { cfs_start_writing($0, $1, $2) }
    package var sync: @Sendable (Int32) -> Int32 = { cfs_sync($0) }
    package var syncData: @Sendable (Int32) -> Int32 = { cfs_sync_data($0) }
    package var syncFileSystem: @Sendable (Int32) -> Int32 = { cfs_sync_file_system($0) }
    package var close: @Sendable (Int32) -> Int32 = { cfs_close($0) }
    package var rename: @Sendable (Int32, Path, Int32, Path) -> Int32 = { cfs_rename($0, $1, $2, $3) }
    package var renameNew: @Sendable (Int32, Path, Int32, Path) -> Int32 = { cfs_rename_new($0, $1, $2, $3) }
    package var exchange: @Sendable (Int32, Path, Int32, Path) -> Int32 = { cfs_exchange($0, $1, $2, $3) }
    package var remove: @Sendable (Int32, Path, Bool) -> Int32 = { cfs_remove($0, $1, $2) }
    package var makeDirectory: @Sendable (Int32, Path, UInt32) -> Int32 = { cfs_make_directory($0, $1, $2) }
    package var createSymbolicLink: @Sendable (Int32, Path, Path) -> Int32 = { cfs_make_link($0, $1, $2) }
    package var addName: @Sendable (Int32, Path, Int32, Path) -> Int32 = { cfs_add_name($0, $1, $2, $3) }
    package var cloneFile: @Sendable (Int32, Int32, Path) -> Int32 = { cfs_clone_file($0, $1, $2) }
    package var readLink: @Sendable (Int32, Path, UnsafeMutablePointer<CChar>?, Int) -> Int = {
        cfs_read_link($0, $1, $2, $3)
    }
    package var nextEntry: @Sendable (OpaquePointer, UnsafeMutablePointer<cfs_entry>) -> Int32 = {
        cfs_directory_next($0, $1)
    }
    package var map: @Sendable (Int32, Int, UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Int32 = {
        cfs_map($0, $1, $2)
    }
    package var space: @Sendable (Int32, UnsafeMutablePointer<cfs_space>) -> Int32 = { cfs_space_of($0, $1) }
    package var lock: @Sendable (Int32, Bool) -> Int32 = { cfs_lock($0, $1) }
    package var lockBytes: @Sendable (Int32, UInt64, UInt64, Bool) -> Int32 = { cfs_lock_bytes($0, $1, $2, $3) }
    package var excludesReaders: @Sendable (Int32, UInt64, UInt64) -> Int32 = { cfs_excludes_readers($0, $1, $2) }
    package var distinguishesCase: @Sendable (Int32) -> Int32 = { cfs_distinguishes_case($0) }

    /// The calls of the kernel.
    package static let live = Syscalls()
}
