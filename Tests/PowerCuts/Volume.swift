import Foundation
import SystemPackage

/// A file system for the power cuts, with the commands that create and mount it.
enum FileSystemKind: String, CaseIterable {
    case ext4, xfs, btrfs

    /// The size of the medium in bytes; about the minimum for XFS and Btrfs.
    var size: Int64 {
        switch self {
        case .ext4: 64 << 20
        case .xfs: 300 << 20
        case .btrfs: 128 << 20
        }
    }

    fileprivate func format(_ image: FilePath) throws(ProgramFailure) {
        switch self {
        // No kernel thread fills tables later.
        case .ext4: try run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0", image.string)
        case .xfs: try run("mkfs.xfs", "-q", "-f", image.string)
        case .btrfs: try run("mkfs.btrfs", "-q", "-f", image.string)
        }
    }

    /// As far as possible, nothing is flushed periodically, only on request.
    fileprivate var options: String {
        switch self {
        case .ext4: "loop,commit=600"
        case .xfs: "loop"
        case .btrfs: "loop,commit=600,nodiscard"
        }
    }

    /// A copy has the identity of its original.
    fileprivate var optionsOfCopy: String { self == .xfs ? options + ",nouuid" : options }
}

/// A file system in an image file, mounted through a loop device that is removed with the mount.
struct Volume {
    let directory: FilePath
    let image: FilePath
    private let kind: FileSystemKind

    private init(_ kind: FileSystemKind, in workplace: Workplace, _ name: String) throws {
        self.kind = kind
        image = workplace.path.appending("\(kind)-\(name).image")
        directory = workplace.path.appending("\(kind)-\(name)")
        try FileManager.default.createDirectory(atPath: directory.string, withIntermediateDirectories: true)
    }

    /// Creates a new file system and mounts it.
    ///
    /// - Throws: `ProgramFailure` if this system lacks a requirement.
    init(making kind: FileSystemKind, in workplace: Workplace) throws {
        try self.init(kind, in: workplace, "original")
        try Image().write(to: image, size: kind.size)
        try kind.format(image)
        // Zeros of the new file system become holes, so that reading the image is fast.
        let file = try FileDescriptor.open(image, .readOnly)
        let formatted = try file.closeAfter { try Image(reading: file, unlike: Image()) }
        try formatted?.write(to: image, size: kind.size)
        try run("mount", "-t", kind.rawValue, "-o", kind.options, image.string, directory.string)
    }

    /// Mounts the content of a medium after a power cut; the kernel replays the journal first.
    init(mounting copy: Image, of kind: FileSystemKind, in workplace: Workplace) throws {
        try self.init(kind, in: workplace, "copy")
        try copy.write(to: image, size: kind.size)
        try run("mount", "-t", kind.rawValue, "-o", kind.optionsOfCopy, image.string, directory.string)
    }

    /// Runs `body`, then unmounts and removes the image, also after an error.
    func whileMounted<Result>(_ body: (Volume) throws -> Result) throws -> Result {
        let result = Swift.Result { try body(self) }
        try run("umount", directory.string)
        try FileManager.default.removeItem(atPath: image.string)
        return try result.get()
    }
}

extension Volume {
    /// The loop device's counters, for `Disk`.
    var statistics: FilePath? {
        guard let mounts = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8) else { return nil }
        for line in mounts.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 1, words[1] == directory.string, let device = FilePath(String(words[0])).lastComponent
            else { continue }
            return FilePath("/sys/block").appending(device).appending("stat")
        }
        return nil
    }
}
