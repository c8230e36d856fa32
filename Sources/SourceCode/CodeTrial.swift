/// The evidence on a source file as the writer of an item, for `scripts/learn-places`.
package struct CodeTrial: Sendable {
    /// The path of the source file in its root.
    package let file: [UInt8]
    /// The line, counted from 1.
    package let line: Int
    /// The numbers in the order of `features`.
    package let evidence: [Double]

    /// The names of the numbers.
    package static let features = CodeModel.Feature.allCases.map { "\($0)" }
}

extension CodeIndex {
    /// Returns the evidence on each source file that may write an item, for each path.
    ///
    /// - Parameters:
    ///   - paths: Paths relative to a container.
    ///   - weights: The weights that choose the line of a file, in the order of `CodeTrial.features`; nil for those of the tool.
    /// - Returns: For each path the source files, in the order of the index.
    package func trials(of paths: [[UInt8]], weights: [Double]? = nil) -> [[CodeTrial]] {
        let search = CodeSearch(index: self, items: paths.map(ItemPath.init), weights: weights ?? CodeModel.weights)
        return search.evidence().map { evidence in
            evidence.map { CodeTrial(file: files[$0.file].path, line: $0.line, evidence: $0.features) }
        }
    }
}
