internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// Items of one directory as they are kept until it has been read, for rules that their signals decide: a finding costs
/// more than all else of an item, and of many in one directory only their number and bytes are told.
struct KeptItems {
    private struct Kept {
        let start: Int
        let length: Int
        let status: FileStatus
        let attributes: [String]
        let carriesAttributes: Bool
        let signals: Signals
    }

    private var items: [Kept] = []
    private var bytes: [UInt8] = []

    /// Keeps an item, and gives its number.
    mutating func keep(_ item: Item, _ signals: Signals) -> Int {
        items.append(
            Kept(
                start: bytes.count, length: item.name.count, status: item.status, attributes: item.attributes,
                carriesAttributes: item.carriesAttributes, signals: signals))
        bytes.append(contentsOf: item.name)
        return items.count - 1
    }

    /// The item of a number again; its content can no longer be read.
    func withItem<Result>(_ number: Int, _ body: (Item, Signals) -> Result) -> Result {
        let kept = items[number]
        return bytes.withUnsafeBytes { bytes in
            body(
                Item(
                    name: UnsafeRawBufferPointer(rebasing: bytes[kept.start..<(kept.start + kept.length)]),
                    status: kept.status, attributes: kept.attributes, carriesAttributes: kept.carriesAttributes,
                    source: NothingMore()), kept.signals)
        }
    }
}

/// What a rule that signals decide has found in one directory.
struct DecidedGroup {
    let rule: Int
    /// The first items, by their numbers among those that are kept.
    private(set) var kept: [Int] = []
    /// Those that came when no more were kept.
    private(set) var others = FindingGroup.Sum()

    init(rule: Int) { self.rule = rule }

    /// Whether more are only counted.
    var isFull: Bool { kept.count >= FindingGroup.limit }

    mutating func keep(_ number: Int) { kept.append(number) }
    mutating func count(_ known: FindingGroup.Known) { others.add(known) }
}
