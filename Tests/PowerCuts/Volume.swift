import Foundation
import SystemPackage

/// A file system to cut the power of, and how it is made and mounted.
enum FileSystemKind: String, CaseIterable {
    case ext4, xfs, btrfs

    /// Bytes of the medium; XFS and Btrfs take no less than about this.
    var size: Int64 {
        switch self {
        case .ext4: 64 << 20
        case .xfs: 300 << 20
        case .btrfs: 128 << 20
        }
    }

    fileprivate func format(_ image: FilePath) throws(ProgramFailure) {
        switch self {
        // No thread of the kernel's that fills tables later.
        case .ext4: try run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0", image.string)
        case .xfs: try run("mkfs.xfs", "-q", "-f", image.string)
        case .btrfs: try run("mkfs.btrfs", "-q", "-f", image.string)
        }
    }

    /// Nothing is brought to the medium by the clock, as far as there is an option for it: only what was asked for is
    /// there.
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

/// A file system in an image file, mounted through a loop device that goes when it is unmounted.
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

    /// Makes a new file system and mounts it.
    ///
    /// - Throws: `ProgramFailure` where this system lacks what that takes.
    init(making kind: FileSystemKind, in workplace: Workplace) throws {
        try self.init(kind, in: workplace, "original")
        try Image().write(to: image, size: kind.size)
        try kind.format(image)
        // What was formatted with zeros gets holes there, so that to read the image is to read what it holds.
        let file = try FileDescriptor.open(image, .readOnly)
        let formatted = try file.closeAfter { try Image(reading: file, unlike: Image()) }
        try formatted?.write(to: image, size: kind.size)
        try run("mount", "-t", kind.rawValue, "-o", kind.options, image.string, directory.string)
    }

    /// Mounts what a medium held when the power went: the kernel brings it in order first.
    init(mounting copy: Image, of kind: FileSystemKind, in workplace: Workplace) throws {
        try self.init(kind, in: workplace, "copy")
        try copy.write(to: image, size: kind.size)
        try run("mount", "-t", kind.rawValue, "-o", kind.optionsOfCopy, image.string, directory.string)
    }

    /// Runs `body`, then unmounts and takes the image away, also where it failed.
    func whileMounted<Result>(_ body: (Volume) throws -> Result) throws -> Result {
        let result = Swift.Result { try body(self) }
        try run("umount", directory.string)
        try FileManager.default.removeItem(atPath: image.string)
        return try result.get()
    }
}

extension Volume {
    /// The loop device's own count of what it has written, for `Disk`.
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
