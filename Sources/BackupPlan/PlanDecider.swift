internal import AppContainer
internal import FileSystem

/// Who decided of an item: a location, a mark, or what the item is. One byte, since every item has one.
package struct PlanDecider: Sendable, Hashable, CustomStringConvertible {
    private let number: UInt8

    /// The location, the attribute, the file or the kind that decided.
    package var description: String { Self.words[Int(number)] }

    /// A location's table row; the root where there is none.
    init(_ location: Location) { self.init(word: location.description) }

    /// A mark that some view heeds.
    init(mark: String) { self.init(word: mark) }

    /// A kind of item that no backup takes.
    init(_ kind: FileKind) { self.init(word: "\(kind)") }

    static let cacheTag = PlanDecider(word: ExclusionMark.cacheTag.rawValue)
    static let noDump = PlanDecider(word: ExclusionMark.noDump.rawValue)

    private init(word: String) { number = Self.numbers[word] ?? 0 }

    private static let words: [String] =
        Location.table.map(\.description) + ExclusionMark.allCases.map(\.rawValue)
        + BackupView.allCases.compactMap(\.softMark) + FileKind.allCases.map { "\($0)" }
    private static let numbers = Dictionary(
        words.enumerated().map { ($1, UInt8($0)) }, uniquingKeysWith: { first, _ in first })
}
