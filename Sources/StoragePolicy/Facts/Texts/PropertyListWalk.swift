internal import PropertyLists

/// Goes through property lists value by value, in the order of the file.
///
/// A container is gone into once, where it is met first, so that a walk takes no longer than the file is large; at most
/// 128 levels deep.
struct PropertyListWalk {
    private struct Level {
        let value: PropertyListValue
        let pointer: ValuePointer
        let isDictionary: Bool
        var position = 0
    }

    private static let depth = 128
    private var seen: Set<Int> = []

    /// Shows each text and each data value below `start`, until `show` says that it is enough.
    mutating func visit(
        _ start: PropertyListValue, at pointer: ValuePointer, show: (ValuePointer, PropertyListValue) -> Bool
    ) {
        var levels: [Level] = []

        func enter(_ value: PropertyListValue, at pointer: ValuePointer) -> Bool {
            switch value.node {
            case .string, .data: return show(pointer, value)
            case .array, .dictionary:
                guard levels.count < Self.depth, seen.insert(value.index).inserted else { return true }
                var isDictionary = false
                if case .dictionary = value.node { isDictionary = true }
                levels.append(Level(value: value, pointer: pointer, isDictionary: isDictionary))
                return true
            default: return true
            }
        }

        guard enter(start, at: pointer) else { return }
        while let last = levels.indices.last {
            let level = levels[last]
            guard level.position < level.value.count else {
                levels.removeLast()
                continue
            }
            levels[last].position += 1
            if level.isDictionary {
                guard let pair = level.value.pair(at: level.position) else { continue }
                guard enter(pair.value, at: level.pointer.member(pair.key)) else { return }
            } else if let member = level.value[level.position] {
                guard enter(member, at: level.pointer.member(level.position)) else { return }
            }
        }
    }
}
