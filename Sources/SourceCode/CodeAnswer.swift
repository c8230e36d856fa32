internal import Foundation

/// A place in the source code that may write an item.
package struct CodePlace: Sendable, Hashable {
    /// The index of the file in the index.
    package let file: Int
    /// The path of the file in its root.
    package let path: [UInt8]
    package let root: Int
    /// The line, counted from 1.
    package let line: Int
    /// The line of the constant whose value is the name, if it is declared in another place.
    package let declaration: Declaration?
    /// The probability that this file writes the item or makes its name, from 0 to 1.
    package let confidence: Double

    /// The declaration of a constant.
    package struct Declaration: Sendable, Hashable {
        package let path: [UInt8]
        package let root: Int
        package let line: Int
    }
}

/// The answer to the question where an item is written.
package struct CodeAnswer: Sendable, Hashable {
    /// The likeliest places, at most `CodeIndex.mostPlaces`, none below the lowest confidence.
    package let places: [CodePlace]
    /// The system or the SDK that writes the item. Then there are no places.
    package let writer: String?
}

extension CodeIndex {
    /// The most places of one item.
    package static let mostPlaces = 3
    /// The lowest confidence of a place in the source code of the app.
    package static let lowestConfidence = 0.5
    /// The lowest confidence of a place in a work tree that nobody selected, and that may be another project.
    package static let lowestByDefault = 0.65
    /// The files whose scores are compared.
    private static let mostCompetitors = 8
    /// The number of items that are searched for together, which bounds the memory of a search.
    private static let batch = 256

    /// The lowest confidence of a line that is shown for a file of an SDK, in place of the SDK.
    private static let surerThanSDK = 0.8

    /// Returns the answer for each path, relative to a container.
    ///
    /// - Parameters:
    ///   - paths: The paths.
    ///   - lowest: The lowest confidence of a place.
    ///   - sdk: The function that names the SDK that writes a file, if one is known. A line of the app that is likely enough
    ///     is shown in its place, because the app states the file's directory or name there.
    /// - Returns: The answers in the order of the paths.
    package func answers(
        for paths: [[UInt8]], atLeast lowest: Double = lowestConfidence, sdk: ([UInt8]) -> String? = { _ in nil }
    ) -> [CodeAnswer] {
        var answers: [CodeAnswer] = []
        for start in stride(from: 0, to: paths.count, by: Self.batch) {
            let part = Array(paths[start..<min(start + Self.batch, paths.count)])
            let evidence = CodeSearch(index: self, items: part.map(ItemPath.init)).evidence()
            for (path, evidence) in zip(part, evidence) {
                if let writer = SystemWriter.name(of: path) {
                    answers.append(CodeAnswer(places: [], writer: writer))
                    continue
                }
                let places = places(evidence, atLeast: lowest)
                let isSure = (places.first?.confidence ?? 0) >= Self.surerThanSDK
                let writer = isSure ? nil : sdk(path)
                answers.append(CodeAnswer(places: writer == nil ? places : [], writer: writer))
            }
        }
        return answers
    }

    private func places(_ evidence: [CodeEvidence], atLeast lowest: Double) -> [CodePlace] {
        let scores = evidence.map { CodeModel.score($0) }
        guard let highest = scores.max() else { return [] }
        let odds = scores.map { exp($0 - highest) }
        // Hundreds of files that share a word with the item are no competitors, but their sum is.
        let sum = odds.sorted(by: >).prefix(Self.mostCompetitors).reduce(0, +)
        // Equal scores keep the order of the paths.
        let order = scores.indices.sorted { scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1 }
        return order.prefix(Self.mostPlaces).compactMap { number in
            let confidence = CodeModel.confidence(evidence[number], share: odds[number] / sum)
            guard confidence >= lowest else { return nil }
            let file = files[evidence[number].file]
            let declaration = evidence[number].declaration.map {
                CodePlace.Declaration(path: files[$0.file].path, root: files[$0.file].root, line: $0.line)
            }
            return CodePlace(
                file: evidence[number].file, path: file.path, root: file.root, line: evidence[number].line,
                declaration: declaration, confidence: confidence)
        }
        .sorted { $0.confidence > $1.confidence }
    }
}

/// The properties of one source file as the writer of an item, as numbers for `CodeModel`.
struct CodeEvidence {
    var file = 0
    var line = 0
    var declaration: (file: Int, line: Int)?
    /// The weights of the literals that match the name of the item and its directory.
    var names = 0.0
    var features = [Double](repeating: 0, count: CodeModel.Feature.allCases.count)

    /// The calls near a line of a file that writes many files say less if the line hardly matches the item, compared with the
    /// best file.
    mutating func weakenContext(comparedWith best: Double) {
        let match = min(1, max(best > 0 ? names / best : 0, self[.isKnown], self[.isComputed]))
        for feature in CodeModel.context { self[feature] *= 0.5 + 0.5 * match }
    }

    subscript(_ feature: CodeModel.Feature) -> Double {
        get { features[feature.rawValue] }
        set { features[feature.rawValue] = newValue }
    }
}
