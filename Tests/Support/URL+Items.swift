internal import CFileSystem
package import Foundation

/// The items beneath a directory, by their paths relative to it or absolute paths. Each function is a system call or a few, where a shell would start a
/// program.
extension URL {
    /// Writes files with a content, and creates their parent directories.
    package func write(_ content: String = "", to paths: String...) throws {
        for path in paths { try write(Data(content.utf8), to: path) }
    }

    /// Writes a file, and creates its parent directories.
    package func write(_ content: Data, to path: String) throws {
        let file = URL(fileURLWithPath: absolute(path))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: file)
    }

    /// Replaces a part of an existing file.
    package func write(_ content: Data, to path: String, at offset: UInt64) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: absolute(path)))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: content)
        try file.close()
    }

    /// Writes a file whose name need not be UTF-8. Its directory must exist.
    package func write(_ content: String = "", toBytes path: [UInt8]) throws {
        let name = String(decoding: path, as: UTF8.self)
        let bytes = Array(self.path.utf8) + [UInt8(ascii: "/")] + path + [0]
        let how = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let descriptor = open(bytes.map(CChar.init(bitPattern:)), how, 0o666)
        guard descriptor >= 0 else { throw CallFailure("create", name) }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(content.utf8))
    }

    /// Adds text to the end of a file, which is created if it does not exist.
    package func append(_ content: String, to path: String) throws {
        let descriptor = open(absolute(path), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw CallFailure("open", path) }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(content.utf8))
    }

    /// Returns the content of a file as text.
    package func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: absolute(path))), as: UTF8.self)
    }

    /// Creates directories with their parents.
    package func makeDirectories(_ paths: String...) throws {
        for path in paths {
            try FileManager.default.createDirectory(atPath: absolute(path), withIntermediateDirectories: true)
        }
    }

    /// Creates a symbolic link.
    package func makeLink(_ path: String, to target: String) throws {
        try check(symlink(target, absolute(path)), "create the link", path)
    }

    /// Creates a second name of a file.
    package func makeName(_ path: String, of file: String) throws {
        try check(link(absolute(file), absolute(path)), "create the name", path)
    }

    /// Creates a file of a size that is one hole.
    package func makeHole(_ path: String, size: Int64) throws {
        try write(to: path)
        try resize(path, to: size)
    }

    /// Creates a file of a size that is one hole but for its last byte. Its content is on the disk.
    package func makeSparse(_ path: String, size: Int64) throws {
        try makeHole(path, size: size)
        try write(Data([0]), to: path, at: UInt64(size - 1))
    }

    /// Extends an existing file with a hole, or cuts it.
    package func resize(_ path: String, to size: Int64) throws {
        try check(truncate(absolute(path), off_t(size)), "resize", path)
    }

    /// Removes items and their content. A missing item is an error.
    package func remove(_ paths: String...) throws {
        for path in paths { try FileManager.default.removeItem(atPath: absolute(path)) }
    }

    /// Renames an item. An existing file is replaced.
    package func move(_ path: String, to new: String) throws {
        try check(rename(absolute(path), absolute(new)), "rename", path)
    }

    /// Sets the modes of items, in octal digits.
    package func setMode(_ octal: String, of paths: String...) throws {
        guard let mode = mode_t(octal, radix: 8) else { throw CocoaError(.formatting) }
        for path in paths { try check(chmod(absolute(path), mode), "set the mode of", path) }
    }

    /// Lets all users read this directory and the items beneath it, as `chmod -R a+rX` does.
    package func allowReading() throws {
        try visitTree(self) { item in
            if item.status.kind == UInt8(CFS_SYMBOLIC_LINK) { return }
            let isEntered = item.status.kind == UInt8(CFS_DIRECTORY) || item.status.permissions & 0o111 != 0
            let mode = mode_t(item.status.permissions | (isEntered ? 0o555 : 0o444))
            try check(fchmodat(item.directory, item.name, mode, 0), "open", item.text)
        }
    }

    /// Sets the access and modification times of items to a time in UTC, such as `2025-06-01` or
    /// `2025-06-01T10:00:00.789Z`.
    package func setTimes(_ time: String, of paths: String..., followingLinks: Bool = true) throws {
        let times = try timespec(parsing: time)
        for path in paths { try set(times, of: path, followingLinks: followingLinks) }
    }

    /// Sets the access and modification times of this directory, whose path is empty, and of all items beneath it, or of some
    /// of them. Links are not followed.
    package func setAllTimes(
        _ time: String, where isChosen: (_ path: String, _ isDirectory: Bool) -> Bool = { _, _ in true }
    ) throws {
        let times = try timespec(parsing: time)
        // Listing a directory changes its access time, so the times are set afterwards.
        var paths: [[UInt8]] = []
        try visitTree(self) { item in
            if isChosen(item.text, item.status.kind == UInt8(CFS_DIRECTORY)) { paths.append(item.path) }
        }
        for path in paths {
            let bytes = Array(self.path.utf8) + [UInt8(ascii: "/")] + path + [0]
            let result = utimensat(AT_FDCWD, bytes.map(CChar.init(bitPattern:)), [times, times], AT_SYMLINK_NOFOLLOW)
            try check(result, "set the times of", String(decoding: path, as: UTF8.self))
        }
    }

    /// The path of an item. `appending(path:)` would change some names.
    func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : self.path + "/" + path }

    private func set(_ times: timespec, of path: String, followingLinks: Bool) throws {
        let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
        try check(utimensat(AT_FDCWD, absolute(path), [times, times], flags), "set the times of", path)
    }

    private func check(_ result: Int32, _ operation: String, _ path: String) throws {
        guard result == 0 else { throw CallFailure(operation, path) }
    }
}

/// Returns random bytes.
package func randomData(_ count: Int) throws -> Data {
    let source = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/urandom"))
    var data = Data()
    while data.count < count {
        guard let piece = try source.read(upToCount: count - data.count) else { throw CocoaError(.fileReadUnknown) }
        data += piece
    }
    return data
}

extension timespec {
    /// Parses a date, or a date and a time, in UTC.
    fileprivate init(parsing text: String) throws {
        let numbers = text.split { !$0.isASCII || !$0.isNumber }
        let fields = numbers.prefix(6).compactMap { Int32($0) }
        guard fields.count == 6 || fields.count == 3 && numbers.count == 3 else { throw CocoaError(.formatting) }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (fields[0] - 1900, fields[1] - 1, fields[2])
        if fields.count == 6 { (parts.tm_hour, parts.tm_min, parts.tm_sec) = (fields[3], fields[4], fields[5]) }
        self.init(tv_sec: timegm(&parts), tv_nsec: 0)
        // The digits of a fraction are those of nanoseconds without zeros at the end.
        if numbers.count > 6, let fraction = Int(numbers[6].padding(toLength: 9, withPad: "0", startingAt: 0)) {
            tv_nsec = fraction
        }
    }
}
