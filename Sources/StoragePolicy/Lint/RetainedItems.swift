internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The items of one directory that match rules decided by traits, kept until the directory was read. Creating findings
/// is expensive, and many in one directory are reported as one.
struct RetainedItems {
    private struct Kept {
        let start: Int
        let length: Int
        let status: FileStatus
        let attributes: [String]
        let carriesAttributes: Bool
        let traits: ItemTraits
    }

    private var items: [Kept] = []
    private var bytes: [UInt8] = []

    /// Keeps an item and returns its number.
    mutating func keep(_ item: Item, _ traits: ItemTraits) -> Int {
        items.append(
            Kept(
                start: bytes.count, length: item.name.count, status: item.status, attributes: item.attributes,
                carriesAttributes: item.carriesAttributes, traits: traits))
        bytes.append(contentsOf: item.name)
        return items.count - 1
    }

    /// Calls a closure with the item of a number. Its content can no longer be read.
    func withItem<Result>(_ number: Int, _ body: (Item, ItemTraits) -> Result) -> Result {
        let kept = items[number]
        return bytes.withUnsafeBytes { bytes in
            body(
                Item(
                    WalkEntry(
                        name: UnsafeRawBufferPointer(rebasing: bytes[kept.start..<(kept.start + kept.length)]),
                        status: kept.status, carriesAttributes: kept.carriesAttributes),
                    attributes: kept.attributes), kept.traits)
        }
    }
}

/// The matches in one directory of a rule that traits decide.
struct DecidedGroup {
    let rule: RuleIndex
    /// The first items, by their numbers among those that are kept.
    private(set) var kept: [Int] = []
    /// Those that came when no more were kept.
    private(set) var others = FindingGroup.Sum()

    init(rule: RuleIndex) { self.rule = rule }

    /// True if more are only counted.
    var isFull: Bool { kept.count >= FindingGroup.limit }

    mutating func keep(_ number: Int) { kept.append(number) }
    mutating func count(_ known: FindingGroup.Known) { others.add(known) }
}
