internal import CFileSystem
internal import SystemPackage

/// The entries of one directory during a walk, or of a part of a large one, in the order of the file system.
///
/// One thread fills it, visits it, and fills it again with the next directory: its memory is reused, and an entry is valid
/// until then.
package final class WalkEntries {
    /// A large directory is read in parts of at most so many entries.
    package static let mostEntries = 65_536
    /// The same of directories among them, because the walk keeps a path of each.
    package static let mostDirectories = 512
    /// The same of the bytes of names and attribute lists.
    private static let mostBytes = 8 << 20
    /// More memory than this is given back after a directory.
    private static let usualEntries = 8_192

    private struct Row {
        let status: cfs_status
        /// The offset of the name, which a NUL and the attribute list follow.
        let start: UInt32
        let nameLength: UInt16
        let listLength: UInt32
        let carriesAttributes: Bool
    }

    private var rows: ContiguousArray<Row> = []
    /// The names and attribute lists. Their addresses do not change during a visit.
    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    private var used = 0
    /// The rows by the hash of their names, made for the first question about a name.
    private var table: [UInt32] = []
    /// True if a name that is not in the table is not in the directory.
    private var isExact = false
    /// The directory, and the descriptor for calls on its entries.
    private var (descriptor, base): (Int32, Int32) = (-1, -1)
    private let list = UnsafeMutableRawBufferPointer.allocate(
        byteCount: ExtendedAttributes.maximumListSize, alignment: 8)
    private let status: @Sendable (Int32, Syscalls.Path, UnsafeMutablePointer<cfs_status>) -> Int32
    private let deviceWithoutAttributes: UInt64?

    /// True if these are all entries of the directory that could be examined.
    package private(set) var isWhole = true
    /// The entries that could not be examined. An empty name stands for the directory, whose listing failed.
    private(set) var failures: [(name: [UInt8], errno: Errno)] = []

    init(
        status: @escaping @Sendable (Int32, Syscalls.Path, UnsafeMutablePointer<cfs_status>) -> Int32,
        deviceWithoutAttributes: UInt64?
    ) {
        (self.status, self.deviceWithoutAttributes) = (status, deviceWithoutAttributes)
    }

    deinit {
        bytes.deallocate()
        list.deallocate()
    }

    package var count: Int { rows.count }

    package subscript(index: Int) -> WalkEntry {
        let row = rows[index]
        let start = Int(row.start)
        let list = start + Int(row.nameLength) + 1
        return WalkEntry(
            directory: base, siblings: self,
            name: UnsafeRawBufferPointer(rebasing: bytes[start..<(list - 1)]), status: FileStatus(row.status),
            attributeList: UnsafeRawBufferPointer(rebasing: bytes[list..<(list + Int(row.listLength))]),
            carriesAttributes: row.carriesAttributes)
    }

    func name(at index: Int) -> UnsafeRawBufferPointer {
        let start = Int(rows[index].start)
        return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Int(rows[index].nameLength))])
    }

    /// Calls a closure with the name and the kind of every entry of the directory, in a listing of its own. Names that
    /// vanish in between are not among them.
    package func forEachName(_ body: (UnsafeRawBufferPointer, FileKind) -> Void) {
        guard !isWhole else {
            for index in rows.indices { body(name(at: index), FileStatus(rows[index].status).kind) }
            return
        }
        let descriptor = cfs_open_at(base, ".", CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY, 0)
        guard descriptor >= 0, let stream = cfs_directory_take(descriptor) else { return }
        defer { cfs_directory_close(stream) }
        var found = cfs_entry()
        while cfs_directory_next(stream, &found) > 0 {
            var kind = found.kind
            if kind == UInt8(CFS_UNKNOWN) {
                var raw = cfs_status()
                guard let name = found.name, status(base, name, &raw) == 0 else { continue }
                kind = raw.kind
            }
            body(UnsafeRawBufferPointer(start: found.name, count: found.length), FileKind(rawValue: kind) ?? .unknown)
        }
    }

    // MARK: - Siblings

    /// Returns the index of the entry with a name; nil if it is not among these.
    package func index(of name: [UInt8]) -> Int? { find(name).index }

    /// The index of the entry with a name, and whether that is the answer for the directory: nil and false if only the file
    /// system knows.
    func find(_ name: [UInt8]) -> (index: Int?, isKnown: Bool) {
        if table.isEmpty {
            makeTable()
            isExact = isWhole && failures.isEmpty && cfs_distinguishes_case(descriptor) == 1
        }
        let mask = table.count - 1
        var slot = name.withUnsafeBytes { Self.hash($0) } & mask
        while table[slot] != 0 {
            let index = Int(table[slot]) - 1
            if self.name(at: index).elementsEqual(name) { return (index, true) }
            slot = (slot + 1) & mask
        }
        return (nil, isExact)
    }

    private func makeTable() {
        var size = 16
        while size < rows.count * 2 { size *= 2 }
        table = [UInt32](repeating: 0, count: size)
        for index in rows.indices {
            var slot = Self.hash(name(at: index)) & (size - 1)
            while table[slot] != 0 { slot = (slot + 1) & (size - 1) }
            table[slot] = UInt32(index) + 1
        }
    }

    /// A seed of the process, so that names with equal hashes cannot be made beforehand.
    private static let seed = UInt64.random(in: 0 ... .max)

    private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        var sum = seed ^ UInt64(truncatingIfNeeded: name.count)
        var index = 0
        while index + 8 <= name.count {
            sum = mix(sum ^ name.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index += 8
        }
        var last: UInt64 = 0
        while index < name.count {
            last = last << 8 | UInt64(name[index])
            index += 1
        }
        return Int(truncatingIfNeeded: mix(sum ^ last) >> 1)
    }

    @inline(__always)
    private static func mix(_ word: UInt64) -> UInt64 {
        let product = (word ^ 0x9e37_79b9_7f4a_7c15).multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
        return product.high ^ product.low
    }

    // MARK: - Reading

    /// Gives back the memory of a large directory.
    func trim() {
        if rows.capacity > Self.usualEntries {
            rows = []
            bytes.deallocate()
            bytes = .allocate(byteCount: 1 << 16, alignment: 8)
        }
    }

    /// Replaces the entries by the next ones of a listing, `isContinued` after others. Returns true if there may be more.
    func fill(from stream: OpaquePointer, of descriptor: Int32, in base: Int32, isContinued: Bool) -> Bool {
        rows.removeAll(keepingCapacity: true)
        table.removeAll(keepingCapacity: true)
        failures.removeAll()
        (used, self.descriptor, self.base) = (0, descriptor, base)
        isWhole = !isContinued
        var directories = 0
        var found = cfs_entry()
        while true {
            let result = cfs_directory_next(stream, &found)
            guard result > 0 else {
                if result < 0 { failures.append(([], Errno(rawValue: -result))) }
                return false
            }
            if add(found) { directories += 1 }
            if rows.count >= Self.mostEntries || directories >= Self.mostDirectories || used >= Self.mostBytes {
                isWhole = false
                return true
            }
        }
    }

    /// Adds an entry with its status and the names of its attributes. Returns true for a directory.
    @inline(__always)
    private func add(_ found: cfs_entry) -> Bool {
        guard let name = found.name else { return false }
        var raw = cfs_status()
        let examined = status(base, name, &raw)
        guard examined == 0 else {
            fail(-examined, found: found)
            return false
        }
        let isDirectory = raw.kind == UInt8(CFS_DIRECTORY)
        // Listing the entries of such a directory would download them.
        guard !raw.dataless || !isDirectory else {
            fail(Errno.deadlock.rawValue, found: found)
            return false
        }
        var size = 0
        var carries = true
        if isDirectory || raw.kind == UInt8(CFS_FILE) {
            let list = list.baseAddress?.assumingMemoryBound(to: CChar.self)
            // The kernel allocates a buffer of the size that is passed, and few lists need more than this.
            size = cfs_list_attributes(base, name, list, 512)
            if size == -Int(Errno.outOfRange.rawValue) {
                size = cfs_list_attributes(base, name, list, ExtendedAttributes.maximumListSize)
            }
            if size == -Int(Errno.notSupportedOnSocket.rawValue) || size == -Int(Errno.notSupported.rawValue) {
                (size, carries) = (0, false)
            } else if size < 0 {
                fail(Int32(-size), found: found)
                return false
            }
        }
        let start = used
        reserve(found.length + 1 + size)
        bytes.baseAddress?.advanced(by: used).copyMemory(from: name, byteCount: found.length + 1)
        used += found.length + 1
        if size > 0, let names = list.baseAddress {
            bytes.baseAddress?.advanced(by: used).copyMemory(from: names, byteCount: size)
            used += size
        }
        rows.append(
            Row(
                status: raw, start: UInt32(start), nameLength: UInt16(clamping: found.length),
                listLength: UInt32(clamping: size),
                carriesAttributes: carries && raw.device != deviceWithoutAttributes))
        return isDirectory
    }

    private func reserve(_ more: Int) {
        guard used + more > bytes.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count * 2, used + more), alignment: 8)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<used]))
        bytes.deallocate()
        bytes = larger
    }

    private func fail(_ errno: Int32, found: cfs_entry) {
        let name = UnsafeRawBufferPointer(start: found.name, count: found.length)
        failures.append((Array(name), Errno(rawValue: errno)))
    }
}
