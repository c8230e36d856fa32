public import Foundation

/// A listing of a tree by the system's tools, GNU tools on Linux: names, kinds, modes, owners, sizes, times in nanoseconds,
/// attributes and checksums of the content. It does not contain the change time of inodes, which no program can restore.
public struct TreeListing: Equatable, CustomStringConvertible {
    private let lines: [String]

    /// Lists a directory. Reading content changes access times, so a test that compares them creates two listings first.
    /// Linux changes the access time of a link when its target is read.
    public init(of folder: URL, withAccessTimes: Bool = false) throws {
        let script = Platform.isLinux ? Self.gnu(withAccessTimes) : Self.bsd(withAccessTimes)
        lines = try Command("sh", ["-c", script], in: folder).text.split(separator: "\n").map(String.init)
    }

    private static func gnu(_ withAccessTimes: Bool) -> String {
        """
        find . -type l -printf '%P %y %m %U %G %T@ %l\\n' -o \
            -printf '%P %y %m %U %G %s %n %T@\(withAccessTimes ? " %A@" : "")\\n' | LC_ALL=C sort
        find . -print0 | LC_ALL=C sort -z | xargs -0r getfattr -h -d -m - -e hex 2>/dev/null
        find . -type f -exec sha256sum {} + | LC_ALL=C sort
        """
    }

    private static func bsd(_ withAccessTimes: Bool) -> String {
        """
        find . -type l -exec stat -f '%N %HT %Lp %u %g %Fm %Y' {} + -o \
            -exec stat -f '%N %HT %p %u %g %z %l %Fm\(withAccessTimes ? " %Fa" : "")' {} + | LC_ALL=C sort
        xattr -rlsx . | grep -v com.apple.provenance
        find . -type f -exec shasum -a 256 {} + | LC_ALL=C sort
        """
    }

    /// The lines.
    public var description: String { lines.joined(separator: "\n") }

    /// Returns the lines that only one of two listings has.
    public func differences(from other: TreeListing) -> [String] {
        let (mine, others) = (Set(lines), Set(other.lines))
        return lines.filter { !others.contains($0) }.map { "+ \($0)" }
            + other.lines.filter { !mine.contains($0) }.map { "- \($0)" }
    }
}
