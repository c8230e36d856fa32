public import Foundation

/// A volume in an image file that lacks features of Linux's own file systems, as external disks of a Mac do.
public enum Volume: CaseIterable, Sendable {
    /// exFAT: no extended attributes, no links, no exclusive rename, no modes, and names that ignore case.
    case exFAT
    /// NTFS as macOS formats APFS by default: names ignore case. Has attributes and links, but no exclusive rename.
    case ignoringCase

    /// True if this process may mount volumes. On a CI machine the tests fail instead of being disabled.
    public static let canMount =
        ProcessInfo.processInfo.environment["CI"] != nil
        || (getuid() == 0 && FileManager.default.fileExists(atPath: "/dev/fuse"))

    /// Runs a program without the inherited descriptors. A daemon would keep the sockets open by which Foundation learns
    /// that other programs have ended.
    private static let alone = """
        alone() {(
            for file in /proc/$BASHPID/fd/*; do number=${file##*/}; [ $number -le 2 ] || eval "exec $number>&-"; done
            exec "$@"
        )}
        """

    private var setUp: String {
        switch self {
        case .exFAT:
            // The loop device is detached when the volume is unmounted.
            """
            truncate -s 64M image; mkfs.exfat image >/dev/null; device=$(losetup -f --show image)
            alone mount.exfat-fuse $device disk >/dev/null; losetup -d $device
            """
        case .ignoringCase:
            """
            truncate -s 16M image; mkfs.ntfs -QFq image >/dev/null 2>&1
            alone lowntfs-3g -o ignore_case,streams_interface=xattr image disk
            """
        }
    }

    /// Mounts an empty volume, passes its root to the body, and unmounts it.
    public func mounted(_ body: (URL) throws -> Void) throws {
        try withScratch { scratch throws in
            let path = "PATH=$PATH:/usr/sbin:/sbin"
            try Command.setUp("bash", ["-ec", "\(path)\n\(Self.alone)\nmkdir disk; \(setUp)"], in: scratch)
            defer { _ = try? Command("umount", [scratch.path + "/disk"]) }
            try body(scratch.appending(path: "disk"))
        }
    }
}
