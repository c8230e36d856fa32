internal import FileSystem
internal import PolicyTexts

/// The number of a group’s files, the form of their names, and their size. Programs make many files of one kind, and name them
/// otherwise than people do, in every app; so this speaks for apps of which no word is known. Source: measured on the layouts of
/// real apps with each vendor left out, see `rules/EVIDENCE.md`.
struct GroupForm {
    private let group: EvidenceGroup
    private let stems: [[UInt8]]

    /// The files whose names are looked at.
    private static let most = 16
    /// So many files of one kind say as much as more do.
    private static let many = 2.5
    /// A file of less bytes is a mark, a counter or a setting, not content that was fetched.
    private static let tiny = 200

    init(_ group: EvidenceGroup, vocabulary: Vocabulary) {
        self.group = group
        stems = group.files.prefix(Self.most).map { file in
            file.name.withUnsafeBytes { Array(NameTraits.stem(of: $0, Int(group.traits.kind), vocabulary: vocabulary)) }
        }
    }

    /// The share of the weight that the number of files has, from 0 for a single one to 1, by its logarithm.
    var multitude: Double {
        var (digits, rest) = (0.0, Double(group.items))
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        // Between the powers of ten a straight line is near enough.
        return min(1, max(0, digits + (rest - 1) / 9) / Self.many)
    }

    /// True if most files are named by a hash.
    var isHashed: Bool { most(NameForm.isHash) }
    /// True if most files are named as programs name what they bring: `welcome_video`, `PaymentCard_2`.
    var isAsset: Bool { most(NameForm.isAsset) }
    /// True if most names have spaces, as people write them.
    var isSpaced: Bool { most { $0.contains(UInt8(ascii: " ")) } }
    /// True if most files have content, but hardly any.
    var isTiny: Bool {
        let sizes = group.files.prefix(Self.most).map(\.bytes)
        return sizes.count { $0 > 0 && $0 < Self.tiny } * 2 > sizes.count
    }

    private func most(_ matches: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        stems.count { $0.withUnsafeBytes(matches) } * 2 > stems.count
    }
}
