internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import TextOutput

/// `companion: { drop: "-wal" }`: beside the item lies what has its name without that ending.
///
/// The other's name is made of the item's: `drop` takes an ending off, `drop-prefix` a beginning; `add` puts an ending
/// on, or one of several, `prefix` a beginning. `named` gives it whole. `is` says what is asked: that it is `present`
/// (one of them) or `missing` (all of them), a `smaller` file, or `marked-otherwise`: one of the two carries the
/// do-not-back-up flag, and no directory above them does. With `magic` the other's content must begin as one of these
/// formats does, so that more than a name speaks for it.
struct CompanionTest: Test {
    static let key = "companion"
    static let cost = Cost.look

    private enum State: String, CaseIterable {
        case present, missing, smaller
        case markedOtherwise = "marked-otherwise"
    }
    private let drop: [UInt8]
    private let dropPrefix: [UInt8]
    private let prefix: [UInt8]
    private let add: [[UInt8]]
    private let named: [UInt8]?
    private let state: State
    private let formats: [Magic]

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["drop", "drop-prefix", "prefix", "add", "named", "is", "magic"])
        drop = Array(try fields["drop"]?.string().utf8 ?? "".utf8)
        dropPrefix = Array(try fields["drop-prefix"]?.string().utf8 ?? "".utf8)
        prefix = Array(try fields["prefix"]?.string().utf8 ?? "".utf8)
        add = try fields["add"]?.strings().map { Array($0.utf8) } ?? [[]]
        named = try fields["named"].map { value throws(SourceError) in Array(try value.string().utf8) }
        state = try fields["is"]?.word("state", State.self) ?? .present
        formats = try fields["magic"]?.words("format", Magic.self) ?? []
        if state == .missing, let magic = fields["magic"], value.recorder == nil {
            throw magic.error("`magic` cannot be combined with `is: missing`")
        }
        if named == nil, drop.isEmpty, dropPrefix.isEmpty, prefix.isEmpty, add.allSatisfy(\.isEmpty) {
            throw value.error("a companion needs a different name")
        }
    }

    func signals(_ slots: inout SignalSlots) -> Signals {
        var signals: Signals = state == .smaller ? .file : []
        if named == nil, !drop.isEmpty {
            signals.formUnion(slots.name([Glob("*" + String(decoding: drop, as: UTF8.self))]))
        }
        return signals
    }

    func holds(for subject: inout Subject) -> Bool {
        guard let others = others(Array(subject.item.name)) else { return false }
        let source = subject.item.source
        let found = others.first { other in
            guard hasFormat(other, of: subject.item) else { return false }
            return switch state {
            case .present, .missing: source.status(ofSibling: other) != nil
            case .smaller:
                source.status(ofSibling: other).map { $0.kind == .file && $0.size < subject.item.status.size } ?? false
            case .markedOtherwise: isMarkedOtherwise(other, than: subject)
            }
        }
        guard (found != nil) != (state == .missing), let other = found ?? others.first else { return false }
        subject.note("companion", ByteText.escaped(other))
        return true
    }

    private func others(_ name: [UInt8]) -> [[UInt8]]? {
        if let named { return [named] }
        guard name.count > drop.count + dropPrefix.count, name.suffix(drop.count).elementsEqual(drop),
            name.starts(with: dropPrefix)
        else { return nil }
        return add.map { prefix + name.dropFirst(dropPrefix.count).dropLast(drop.count) + $0 }
    }

    private func hasFormat(_ other: [UInt8], of item: Item) -> Bool {
        guard !formats.isEmpty else { return true }
        guard item.source.status(ofSibling: other)?.kind == .file,
            let format = item.source.bytes(64, at: 0, ofSibling: other).flatMap({ Magic($0) })
        else { return false }
        return formats.contains(format)
    }

    private func isMarkedOtherwise(_ other: [UInt8], than subject: Subject) -> Bool {
        guard subject.item.carriesAttributes, subject.directory.exclusion.state != .excluded,
            let attributes = subject.item.source.attributes(ofSibling: other)
        else { return false }
        let isMarked = attributes.contains { ExclusionMark(attribute: $0)?.isApple == true }
        return isMarked != !subject.item.marks.isEmpty
    }
}
