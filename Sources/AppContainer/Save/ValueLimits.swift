internal import Foundation
internal import PropertyLists
internal import SystemPackage

/// How large the file of a value may be. What a save with some limits accepts, a load with the same limits reads.
public struct ValueLimits: Sendable, Hashable {
    /// The file's bytes, in any form: 64 MiB.
    public var bytes = 64 << 20
    /// The values of a property list, shared ones counted wherever they appear: 1,000,000.
    public var values = 1_000_000
    /// How many levels of a property list may lie within each other: 512. In XML never more than that.
    ///
    /// A decoder takes stack for each level.
    public var depth = 512

    /// The limits named above.
    public init() {}

    /// Makes sure that Foundation's decoder comes to an end with a property list: it follows references for ever in a
    /// list that holds itself, and ends the process.
    ///
    /// - Throws: `tooLarge` beyond the limits; what else is wrong with the list.
    func check(propertyList content: Data) throws(PropertyListError) {
        var bounds = PropertyListGraph.Limits()
        bounds.bytes = bytes
        bounds.objects = max(0, values)
        // Sixteen bytes for each key and value beside the texts and data.
        bounds.contents = max(0, bytes).addingReportingOverflow(min(max(0, values), 1 << 40) * 16).partialValue
        if bounds.contents < 0 { bounds.contents = .max }
        let graph = try PropertyListGraph(parsing: Array(content), limits: bounds)
        try graph.requireUnfolding(depth: max(1, depth), count: max(1, values))
    }
}

extension ContainerError {
    /// A value whose file is, or would be, larger than the limits.
    init(tooLarge reason: String, at path: FilePath, onDisk: String) {
        self.init(
            .tooLarge, path,
            "The value of “\(path)” is too large: \(reason). \(onDisk) Keep it in several files, or raise the limits that "
                + "it is saved and loaded with.")
    }
}
