internal import PropertyLists

/// A way through a property list: from member to member, and down into what has members.
///
/// Of the way down it keeps places and no names: a list of a megabyte may have a million levels, all of one long name.
struct PropertyListWay {
    /// Where the way stands.
    private(set) var value: PropertyListValue
    /// What it has gone down into, and which member of each is the next.
    private var above: [(value: PropertyListValue, next: Int)] = []

    init(to root: PropertyListValue) { value = root }

    /// The members of where it stands come next.
    mutating func enter() { above.append((value, 0)) }

    /// Goes on to what comes next; false where there is nothing more.
    mutating func advance() -> Bool {
        while let (container, next) = above.last {
            guard next < container.count else {
                above.removeLast()
                continue
            }
            above[above.count - 1].next += 1
            guard let member = container[next] ?? container.pair(at: next)?.value else { continue }
            value = member
            return true
        }
        return false
    }

    private static let longest = 1_024

    /// The names that lead from `start` to where it stands; cut at 1,024 bytes.
    func pointer(from start: String) -> String {
        var bytes = Array(start.utf8)
        for (container, next) in above {
            guard bytes.count <= Self.longest else { break }
            bytes.append(UInt8(ascii: "/"))
            bytes += (container.pair(at: next - 1)?.key ?? "\(next - 1)").utf8.prefix(Self.longest)
        }
        guard bytes.count > Self.longest else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes.prefix(Self.longest), as: UTF8.self) + "…"
    }
}
