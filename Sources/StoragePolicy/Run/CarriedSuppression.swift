internal import AppContainer

/// A suppression, by its index among those of its kind.
enum SuppressionSource: Hashable, Sendable {
    case configured(Int)
    case carried(Int)
}

/// One that an item carries; a directory's holds for all that lies in it.
struct CarriedSuppression: Sendable {
    let number: Int
    let path: [UInt8]
    let suppression: Suppression
    /// The ids of the rules that it names.
    let rules: Set<String>
    let isOver: Bool
}
