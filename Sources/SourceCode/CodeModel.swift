internal import Foundation

/// The weights of the evidence on a source file, and the probability that it is right.
///
/// `scripts/learn-places` fits the weights on files of open-source apps of which the writer is known, toward weights of common
/// sense, so that what is rare in these apps keeps a weight. It measures them with the apps of each vendor left out;
/// `Benchmarks/RESULTS.md` has the figures. `scripts/measure-anchors` measures the built tool on the same apps.
enum CodeModel {
    /// A number about one source file as the writer of an item.
    enum Feature: Int, CaseIterable, Sendable {
        /// The weight of the literals that match the name of the item, of the literal at the line, of a literal that is the
        /// whole name, and the sum of the weights near the line.
        case name, best, exactName, nearNames
        /// The weight of the innermost name of the path that any file matches, compared with the best file, and that of the
        /// whole name, if one has it.
        case leaf, leadsExact
        /// The weight of a literal whose label says that it is a name, and of one that the code only compares with a name.
        case isNameArgument, isCompared
        /// 1 if the file uses a type that gives its files this name, or this form of a name with a value that is no literal.
        case isKnown, isComputed
        /// The nearness of calls to the line: 1 on the same line.
        case writes, buildsPath, reads, database, resource
        /// The nearness of the constant of the item's directory, and of other directories.
        case agrees, disagrees
        /// 1 if the file has the constant of the item's directory anywhere.
        case fileAgrees
        /// 1 if the literal is the value of a constant, and if the line uses a constant of the same file, one of another file,
        /// or a function of another file that returns the place.
        case isConstant, isLocalUse, isUse, isFunctionUse
        /// 1 if the value to which the literal is bound is only read, or only deleted.
        case fateReads, fateUpkeep
        /// 1 if the name of the function around the line says that it writes, reads, or cleans up and exports.
        case inWriter, inReader, inUpkeep
        /// The number of file APIs in the file, as a logarithm.
        case apis
        case test, vendored, generated, otherPlatform, isExtension
        /// Words of the source file's name. `isUpkeep` is 1 for a file that saves, restores or shows files that others write.
        case isView, isMigration, isStorage, isUpkeep
        /// 1 for preferences, if the source file is named after settings or defaults.
        case isSettings
        /// The share of words of the file's name that are in the item's path, and the rarity of the rarest of them.
        case fileName, rareWord
        /// 1 if the source file is named after a part of the path, and after the innermost part with a name.
        case isNamedAfter, isNamedAfterLeaf
        /// 1 if the source file's folder shares a word with the item's path.
        case folderName
    }

    /// The evidence of what the code around a line does, whatever the line matches.
    static let context: [Feature] = [
        .writes, .buildsPath, .database, .agrees, .fileAgrees, .apis, .isStorage, .inWriter, .isLocalUse,
    ]

    /// The weights in the order of the features.
    static let weights = ordered(placeWeights)

    /// Returns weights in the order of the features, 0 for those that are missing.
    static func ordered(_ weights: [Feature: Double]) -> [Double] { Feature.allCases.map { weights[$0] ?? 0 } }

    /// Returns the log-odds of a file in comparison with others.
    static func score(_ evidence: CodeEvidence, weights: [Double] = weights) -> Double {
        zip(weights, evidence.features).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// Returns the probability that a file is right. Its share is that of its odds among those of all files, from 0 to 1.
    ///
    /// Fitted on the answers about apps that the weights were not fitted on. The odds are then lowered to a power, so that of the
    /// places with at least 0.8 nine of ten are right; what is as likely as not stays so.
    static func confidence(_ evidence: CodeEvidence, share: Double) -> Double {
        // A file without competitors is not surer than one with a few.
        let share = min(max(share, 0.01), 0.9)
        let call = max(evidence[.writes], evidence[.buildsPath], evidence[.database], evidence[.isKnown])
        var odds = confidenceConstant + confidenceShare * log(share / (1 - share)) + confidenceCall * call
        for (feature, weight) in confidenceWeights { odds += weight * evidence[feature] }
        return 1 / (1 + exp(-confidencePower * odds))
    }
}
