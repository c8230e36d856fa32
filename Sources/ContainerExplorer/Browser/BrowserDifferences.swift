package import ContainerTree
internal import TextOutput

/// The differences of the container of a pane to that of the other one.
package struct BrowserDifferences: Sendable {
    private let comparison: ContainerComparison
    private let isLeft: Bool

    /// Compares two readings. Returns the differences of the first and of the second one; nil if cancelled.
    package static func compare(
        _ left: ContainerIndex, _ right: ContainerIndex, isCancelled: @escaping @Sendable () -> Bool
    ) -> [BrowserDifferences]? {
        guard let comparison = ContainerComparison(left, right, isCancelled: isCancelled) else { return nil }
        return [
            BrowserDifferences(comparison: comparison, isLeft: true),
            BrowserDifferences(comparison: comparison, isLeft: false),
        ]
    }

    /// The sign before an item: `+` only here, `~` different, a space for an equal one.
    func sign(of item: Int) -> String {
        switch isLeft ? comparison.status(ofLeft: item) : comparison.status(ofRight: item) {
        case .onlyHere: "+"
        case .changed: "~"
        case .same: " "
        }
    }

    /// The numbers of different items in words.
    var summary: String { comparison.summary(isLeft: isLeft) }
}
