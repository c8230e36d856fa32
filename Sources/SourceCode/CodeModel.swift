internal import Foundation

/// The weights of the evidence on a source file, and the probability that it is right.
///
/// Fitted on 358 groups of files of 63 open-source apps, of which the writer is known, toward weights of common sense, so that
/// what is rare in these apps keeps a weight. With the apps of a vendor left out, the first file is right for 79 of 100 groups
/// that a score of the linter counts, one of the first three for 90, and places of at least 0.8 are right in 90 of 100 cases.
/// `scripts/measure-anchors` measures the built tool on the same apps.
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

    private static let weights: [Double] = [
        0.67, 1.1, 0.32, 0.59, 0.49, 0.3, 0.35, -0.63, 1.94, 0.8, 0.28, 1.29, 0.19, 0.48, -0.66, 0.82, 0.27,
        0.71, 0.29, 0.63, -0.27, -0.63, -0.32, -0.23, 0.33, -0.4, -0.25, 1.18, -2.31, -1.07, -1.01, -1.17,
        -1.48, -0.44, -1.05, 0.24, -0.67, 0.49, 0.92, 0.59, 0.87, 0.78, 0.48,
    ]

    /// Returns the log-odds of a file in comparison with others.
    static func score(_ evidence: CodeEvidence) -> Double {
        zip(weights, evidence.features).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// Returns the probability that a file is right. Its share is that of its odds among those of all files, from 0 to 1.
    ///
    /// Fitted on the answers about apps that the weights were not fitted on. The odds are then lowered to their power of 0.78, so
    /// that of the places with at least 0.8 nine of ten are right; what is as likely as not stays so.
    static func confidence(_ evidence: CodeEvidence, share: Double) -> Double {
        // A file without competitors is not surer than one with a few.
        let share = min(max(share, 0.01), 0.9)
        let call = max(evidence[.writes], evidence[.buildsPath], evidence[.database], evidence[.isKnown])
        let odds =
            -1.044 + 0.778 * log(share / (1 - share)) + 0.678 * evidence[.name] + 0.594 * evidence[.best]
            - 0.422 * evidence[.exactName] + 0.279 * evidence[.rareWord] - 0.148 * evidence[.nearNames]
            + 0.353 * evidence[.fileAgrees] - 0.506 * evidence[.resource] + 0.26 * evidence[.isNamedAfter]
            - 1.021 * evidence[.test] - 0.407 * evidence[.isUpkeep] + 0.64 * call
        return 1 / (1 + exp(-0.78 * odds))
    }
}
