internal import PolicyTexts

extension Catalogue {
    /// Returns the model that weighs evidence.
    ///
    /// - Throws: The first mistake in the files of the folder `evidence`, at its line and column.
    func evidenceModel() throws(SourceError) -> EvidenceModel {
        if !hasOwnEvidence, omitted.words.isEmpty { return try Self.builtInModel.get() }
        return try newEvidenceModel()
    }

    private static let builtInModel = Result { () throws(SourceError) in try embedded().newEvidenceModel() }

    private func newEvidenceModel() throws(SourceError) -> EvidenceModel {
        try EvidenceModel(
            vocabulary: evidence("vocabulary.yml"), paths: evidence("paths.yml"), weights: evidence("weights.yml"),
            omitting: omitted.words, of: EvidenceSources.kinds)
    }
}
