internal import TextOutput

/// A change of a container. Paths are relative to it.
package enum BrowserChange: Sendable, Hashable {
    /// `losesContent` is true if the user has confirmed that the deletion cannot be reverted.
    case delete([[UInt8]], forGood: Bool, losesContent: Bool)
    case exclude([[UInt8]])
    case include([[UInt8]])
    case copy([[UInt8]], into: [UInt8])
    case move([[UInt8]], into: [UInt8], allowsUserData: Bool)
    case rename([UInt8], to: [UInt8])
    case renameAll([[UInt8]], by: RenamePattern)
    case makeDirectory([UInt8], in: [UInt8])
    /// Copies items of the container in the active pane into a directory of the container in the other one.
    case put([[UInt8]], into: [UInt8])
    /// Applies the automatic fixes of the findings of items.
    case fix([[UInt8]], allowsUnsafe: Bool)
    /// Reverts a change of the history; nil for the last one.
    case undo(Int?)

    /// The running change in words.
    var activity: String {
        switch self {
        case .delete(let paths, _, _): "deleting \(Self.count(paths))"
        case .exclude(let paths): "excluding \(Self.count(paths))"
        case .include(let paths): "including \(Self.count(paths))"
        case .copy(let paths, _), .put(let paths, _): "copying \(Self.count(paths))"
        case .move(let paths, _, _): "moving \(Self.count(paths))"
        case .rename: "renaming"
        case .renameAll(let paths, _): "renaming \(Self.count(paths))"
        case .makeDirectory: "making a directory"
        case .fix: "fixing"
        case .undo: "reverting"
        }
    }

    private static func count(_ paths: [[UInt8]]) -> String { Quantity.count(paths.count, "item") }
}

/// Work that the browser requests.
package enum BrowserRequest: Sendable, Hashable {
    case quit, refresh, redraw
    /// Cancel the running work of the active pane.
    case cancel
    case change(BrowserChange)
    /// Find out if a deletion of items can be undone.
    case checkUndo([[UInt8]])
    /// List the items that match conditions, or that contain a text.
    case find(String)
    case search(String)
    /// Show the history of changes.
    case history
    /// Show what would fix the findings of items.
    case planFix([[UInt8]])
    /// Open an input in the second pane; nil for the container of the first one.
    case openPane(String?)
    case closePane
    case compare
}
