public import Foundation

/// All that GNU tools tell of a tree: names, kinds, modes, owners, sizes, times to the nanosecond, attributes and the
/// content's sums. It says nothing of when an inode last changed, which no one can set back.
public struct TreeListing: Equatable, CustomStringConvertible {
    private let lines: [String]

    /// Lists a directory. Looking at content moves access times, so who compares these lists twice beforehand; and Linux
    /// moves a link's where a linter asks for its target.
    public init(of folder: URL, withAccessTimes: Bool = false) throws {
        let access = withAccessTimes ? " %A@" : ""
        let script = """
            find . -type l -printf '%P %y %m %U %G %T@ %l\\n' -o -printf '%P %y %m %U %G %s %n %T@\(access)\\n' | LC_ALL=C sort
            getfattr -h -d -m - -e hex -R . 2>/dev/null
            find . -type f -exec sha256sum {} + | LC_ALL=C sort
            """
        lines = try Command("sh", ["-c", script], in: folder).text.split(separator: "\n").map(String.init)
    }

    /// The lines.
    public var description: String { lines.joined(separator: "\n") }

    /// The lines that only one of two lists has.
    public func differences(from other: TreeListing) -> [String] {
        let (mine, others) = (Set(lines), Set(other.lines))
        return lines.filter { !others.contains($0) }.map { "+ \($0)" }
            + other.lines.filter { !mine.contains($0) }.map { "- \($0)" }
    }
}
