package import ContainerTree
internal import TextOutput

/// The differences of the container of a pane to that of the other one.
package struct BrowserDifferences: Sendable {
    private let comparison: ContainerComparison
    private let isLeft: Bool
    /// The numbers of different items in words.
    let summary: String

    private init(_ comparison: ContainerComparison, isLeft: Bool) {
        (self.comparison, self.isLeft) = (comparison, isLeft)
        let own = comparison.differences.count { (isLeft ? $0.right : $0.left) == nil }
        let changed = comparison.differences.count { $0.left != nil && $0.right != nil }
        summary =
            comparison.isEqual
            ? "equal to the other pane" : "\(Quantity.grouped(own)) only here, \(Quantity.grouped(changed)) different"
    }

    /// Compares two readings. Returns the differences of the first and of the second one; nil if cancelled.
    package static func compare(
        _ left: ContainerIndex, _ right: ContainerIndex, isCancelled: @escaping @Sendable () -> Bool
    ) -> [BrowserDifferences]? {
        var options = ContainerComparison.Options()
        options.isCancelled = isCancelled
        guard let comparison = ContainerComparison(left, right, options: options) else { return nil }
        return [BrowserDifferences(comparison, isLeft: true), BrowserDifferences(comparison, isLeft: false)]
    }

    /// The sign before an item: `+` only here, `~` different, a space for an equal one.
    func sign(of item: Int) -> String {
        switch isLeft ? comparison.status(ofLeft: item) : comparison.status(ofRight: item) {
        case .onlyHere: "+"
        case .changed: "~"
        case .same: " "
        }
    }
}
