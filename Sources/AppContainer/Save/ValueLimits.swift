internal import Foundation
internal import PropertyLists
internal import SystemPackage

/// The limits for the file of a value. A load with the same limits accepts what a save accepted.
public struct ValueLimits: Sendable, Hashable {
    /// The maximum size of the file in bytes, in any format: 64 MiB.
    public var bytes = 64 << 20
    /// The maximum number of values in a property list: 1,000,000. Shared values count for each reference.
    public var values = 1_000_000
    /// The maximum depth of a property list: 512, which is also the upper limit for XML.
    ///
    /// A decoder uses stack space for each level.
    public var depth = 512

    /// Creates the default limits.
    public init() {}

    /// Checks that Foundation's decoder terminates for a property list: it recurses endlessly in a list that contains
    /// itself, which ends the process.
    ///
    /// - Throws: `tooLarge` beyond the limits; other errors of the list.
    func check(propertyList content: Data) throws(PropertyListError) {
        var bounds = PropertyListGraph.Limits()
        bounds.bytes = bytes
        bounds.objects = max(0, values)
        // Sixteen bytes for each key and value in addition to texts and data.
        bounds.contents = max(0, bytes).addingReportingOverflow(min(max(0, values), 1 << 40) * 16).partialValue
        if bounds.contents < 0 { bounds.contents = .max }
        let graph = try PropertyListGraph(parsing: Array(content), limits: bounds)
        try graph.requireUnfolding(depth: max(1, depth), count: max(1, values))
    }
}

extension ContainerError {
    /// Creates an error for a value whose file exceeds the limits.
    init(tooLarge reason: String, at path: FilePath, onDisk: String) {
        self.init(
            .tooLarge, path,
            "The value of “\(path)” is too large: \(reason). \(onDisk) Split it into several files, or raise the limits for "
                + "saving and loading it.")
    }
}
