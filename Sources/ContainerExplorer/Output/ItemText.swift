internal import AppContainer
package import ContainerTree
package import FileSystem
internal import TextOutput

/// The properties of an item as text.
package enum ItemText {
    /// Returns the name of an item as it is shown, with a mark for its kind, the target of a link, and a
    /// remark if its content cannot be read.
    package static func name(of number: Int, in index: ContainerIndex) -> String {
        let name = number == ContainerIndex.root ? "." : ByteText.escaped(Array(index.name(of: number)))
        return name + suffix(of: number, in: index)
    }

    /// Returns the path of an item as it is shown, with a mark for its kind, the target of a link, and a
    /// remark if its content cannot be read.
    package static func path(of number: Int, in index: ContainerIndex) -> String {
        let path = number == ContainerIndex.root ? "." : ByteText.escaped(index.path(of: number))
        return path + suffix(of: number, in: index)
    }

    private static func suffix(of number: Int, in index: ContainerIndex) -> String {
        let remark = index.availability(of: number).phrase.map { "  (\($0))" } ?? ""
        return switch index.kind(of: number) {
        case .directory: "/" + remark
        case .symbolicLink: " -> " + ByteText.escaped(Array(index.linkTarget(of: number) ?? []))
        case .fifo: "|"
        case .socket: "="
        default: remark
        }
    }

    /// Returns the difference of two dates in seconds in the largest unit that fits: `5 min`, `3 d`, `2 y`.
    package static func age(of modified: Int64, now: Int64) -> String {
        let (seconds, isOver) = now.subtractingReportingOverflow(modified)
        guard !isOver, seconds >= 0 else { return isOver && now > modified ? "old" : "future" }
        for (unit, length) in [("y", 31_557_600), ("d", 86_400), ("h", 3600), ("min", 60)] as [(String, Int64)]
        where seconds >= length {
            return "\(seconds / length) \(unit)"
        }
        return "\(seconds) s"
    }

    /// Returns yes, no or unknown.
    static func backup(_ state: BackupState) -> String {
        switch state {
        case .included: "yes"
        case .excluded: "no"
        case .unknown: "unknown"
        }
    }

    /// Returns the origin of a decision in a few words.
    static func decider(of number: Int, in index: ContainerIndex) -> String {
        let carrier = index.carrier(of: number)
        return decider(
            index.decision(for: number), carrier: carrier.map { index.path(of: $0) }, isOwn: carrier == number)
    }

    /// Returns the origin of a decision in a few words.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - carrier: The path of the item with the exclusion, if any.
    ///   - isOwn: True if that is the item itself.
    /// - Returns: The words.
    static func decider(_ decision: BackupDecision, carrier: [UInt8]?, isOwn: Bool) -> String {
        switch decision.decider.origin {
        case .location(let location): return location.description
        case .mark(let mark):
            guard ExclusionMark(rawValue: mark)?.isApple == true, let carrier else { return mark }
            guard !isOwn else { return "exclusion" }
            return carrier.isEmpty ? "exclusion of the container" : "exclusion of \(ByteText.escaped(carrier))"
        case .kind(let kind): return word(for: kind)
        case .temporaryFile: return "temporary file of a save"
        case .fileSystem: return "file system"
        case .option(let option): return option
        }
    }

    /// Returns the location policy in a few words.
    static func policy(of location: Location) -> String {
        let purge =
            switch location.purge {
            case .never: "kept"
            case .anyTime: "purged at any time"
            case .maybe: "may be purged"
            case .unknown: "not documented"
            }
        return location.isSystemOwned ? purge + ", system" : purge
    }

    /// Returns the word for a kind in text and JSON.
    package static func word(for kind: FileKind) -> String {
        switch kind {
        case .file: "file"
        case .directory: "directory"
        case .symbolicLink: "link"
        case .fifo: "pipe"
        case .socket: "socket"
        case .characterDevice, .blockDevice: "device"
        case .unknown: "unknown"
        }
    }
}
