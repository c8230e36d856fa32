import CFileSystem
import FileSystem
import SystemPackage

/// A failure of one system call.
enum Fault: Sendable, Hashable, CustomStringConvertible {
    case error(Errno)
    /// The call processes half of its data.
    case shortWrite
    /// The process ends before the call, or after it and before its result is returned.
    case killedBefore, killedAfter

    var isKill: Bool { self == .killedBefore || self == .killedAfter }

    var description: String {
        switch self {
        case .error(let errno): "\(errno)"
        case .shortWrite: "short write"
        case .killedBefore: "killed before"
        case .killedAfter: "killed after"
        }
    }

    private static let errors: [Fault] = [
        .error(.ioError), .error(.noSpace), .error(.diskQuotaExceeded), .error(.interrupted), .error(.permissionDenied),
        .error(.readOnlyFileSystem), .error(.tooManyOpenFiles),
    ]
    private static let kills: [Fault] = [.killedBefore, .killedAfter]

    static let all = errors + [.shortWrite] + kills
    /// An error and a termination, which alternate from call to call.
    static func few(at position: Int) -> [Fault] {
        [errors[position % errors.count], .shortWrite, kills[position / errors.count % kills.count]]
    }
}

/// The kernel with one failure at a chosen call and a record of all calls.
final class FaultyKernel: Sendable {
    private struct State {
        var names: [String] = []
        var isDead = false
    }
    private let state = LockedValue(State())
    private let fault: Fault?
    private let position: Int

    /// Fails at the call with this number, from 0. Nil for no failure.
    init(_ fault: Fault? = nil, at position: Int = -1) {
        self.fault = fault
        self.position = position
    }

    /// True if the process has ended.
    var isKilled: Bool { fault?.isKill == true }

    /// The calls in order.
    var names: [String] { state.withLock(\.names) }

    /// Makes a call with the failure. `half` makes a short call.
    private func call<Result: FixedWidthInteger>(
        _ name: String, half: (() -> Result)? = nil, isClose: Bool = false, _ body: () -> Result
    ) -> Result {
        let failure = Result(-Errno.ioError.rawValue)
        let (number, isDead) = state.withLock { state in
            state.names.append(name)
            return (state.names.count - 1, state.isDead)
        }
        // A process that has ended has no open files and changes nothing.
        if isDead { return isClose ? body() : failure }
        guard number == position, let fault else { return body() }
        switch fault {
        case .error(let errno):
            if isClose { _ = body() }
            return Result(-errno.rawValue)
        case .shortWrite: return half?() ?? body()
        case .killedBefore:
            state.withLock { $0.isDead = true }
            return isClose ? body() : failure
        case .killedAfter:
            let result = body()
            state.withLock { $0.isDead = true }
            // A descriptor that is never closed would outlive the process that ended.
            if name.hasPrefix("open"), result >= 0 { _ = cfs_close(Int32(result)) }
            return failure
        }
    }

    var calls: Syscalls {
        var calls = Syscalls.live
        calls.openBeneath = { a, b, c, d in self.call("openBeneath") { cfs_open_beneath(a, b, c, d) } }
        calls.open = { a, b, c, d in self.call("open") { cfs_open_at(a, b, c, d) } }
        calls.status = { a, b, c in self.call("status") { cfs_status_at(a, b, c) } }
        calls.write = { a, b, c in
            self.call("write", half: { cfs_write(a, b, max(1, c / 2)) }) { cfs_write(a, b, c) }
        }
        calls.read = { a, b, c, d in
            self.call("read", half: { cfs_read(a, b, max(1, c / 2), d) }) { cfs_read(a, b, c, d) }
        }
        calls.listAttributes = { a, b, c, d in self.call("listAttributes") { cfs_list_attributes(a, b, c, d) } }
        calls.readAttribute = { a, b, c, d, e in
            self.call("readAttribute") { cfs_read_attribute(a, b, c, d, e) }
        }
        calls.writeAttribute = { a, b, c, d, e in
            self.call("writeAttribute") { cfs_write_attribute(a, b, c, d, e) }
        }
        calls.removeAttribute = { a, b, c in self.call("removeAttribute") { cfs_remove_attribute(a, b, c) } }
        calls.copyAttributes = { a, b, c in self.call("copyAttributes") { cfs_copy_attributes(a, b, c) } }
        calls.copyAccessList = { a, b in self.call("copyAccessList") { cfs_copy_access_list(a, b) } }
        calls.removeAccessList = { a in self.call("removeAccessList") { cfs_remove_access_list(a) } }
        calls.setOwner = { a, b, c in self.call("setOwner") { cfs_set_owner(a, b, c) } }
        calls.setLinkOwner = { a, b, c, d in self.call("setLinkOwner") { cfs_set_link_owner(a, b, c, d) } }
        calls.setPermissions = { a, b in self.call("setPermissions") { cfs_set_permissions(a, b) } }
        calls.setTimes = { a, b, c in self.call("setTimes") { cfs_set_times(a, b, c) } }
        calls.setLinkTimes = { a, b, c, d in self.call("setLinkTimes") { cfs_set_link_times(a, b, c, d) } }
        calls.setNoDump = { a in self.call("setNoDump") { cfs_set_no_dump(a) } }
        calls.startWriting = { a, b, c in self.call("startWriting") { cfs_start_writing(a, b, c) } }
        calls.sync = { a in self.call("sync") { cfs_sync(a) } }
        calls.close = { a in self.call("close", isClose: true) { cfs_close(a) } }
        calls.rename = { a, b, c, d in self.call("rename") { cfs_rename(a, b, c, d) } }
        calls.renameNew = { a, b, c, d in self.call("renameNew") { cfs_rename_new(a, b, c, d) } }
        calls.exchange = { a, b, c, d in self.call("exchange") { cfs_exchange(a, b, c, d) } }
        calls.remove = { a, b, c in self.call("remove") { cfs_remove(a, b, c) } }
        calls.makeDirectory = { a, b, c in self.call("makeDirectory") { cfs_make_directory(a, b, c) } }
        calls.createSymbolicLink = { a, b, c in self.call("createSymbolicLink") { cfs_make_link(a, b, c) } }
        calls.readLink = { a, b, c, d in self.call("readLink") { cfs_read_link(a, b, c, d) } }
        calls.nextEntry = { a, b in self.call("nextEntry") { cfs_directory_next(a, b) } }
        calls.lock = { a, b in self.call("lock") { cfs_lock(a, b) } }
        return calls
    }
}
