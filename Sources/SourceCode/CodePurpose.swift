/// The purpose of a function, by the words of its name, or of a value, by the calls that take it.
struct CodePurpose: OptionSet, Sendable {
    let rawValue: UInt8
    /// Makes or changes a file.
    static let writes = CodePurpose(rawValue: 1)
    /// Uses a file that exists.
    static let reads = CodePurpose(rawValue: 2)
    /// Deletes, exports, shares or moves what other code has written.
    static let upkeep = CodePurpose(rawValue: 4)

    /// Returns a place: a path, a URL or a directory.
    static let locates = CodePurpose(rawValue: 8)

    /// Compares a name with others.
    static let compares = CodePurpose(rawValue: 16)

    private static let words: [UInt32: CodePurpose] = {
        let texts: [(CodePurpose, String)] = [
            (
                .writes,
                """
                save write create store download persist record insert install make generate cache prepare ensure append \
                initialize setup
                """
            ),
            (
                .reads,
                "load read open show present display list count exists check find validate calculate compute size has is"
            ),
            (
                .upkeep,
                """
                delete remove clear clean cleanup reset purge wipe erase prune export share upload send restore repair \
                migrate migration upgrade backup debug print test preview legacy rename import
                """
            ),
            (.locates, "url path dir directory folder file filename location name root"),
        ]
        return Dictionary(
            uniqueKeysWithValues: texts.flatMap { purpose, text in
                text.split(separator: " ").map { (CodeHash.of($0.utf8), purpose) }
            })
    }()

    /// The purpose of the first word that states one, because the verb of a name is most often its first word, and whether the
    /// name is that of a place.
    init(ofName name: UnsafeRawBufferPointer) {
        var (hash, previous) = (CodeHash(), UInt8(0))
        self = []
        for byte in name.prefix(CodePurpose.longestName) {
            let isUpper = byte.isLetter && byte != byte.asciiLowercased
            if !byte.isLetter || isUpper && previous.isLetter && previous == previous.asciiLowercased {
                add(wordOf: hash)
                hash = CodeHash()
            }
            if byte.isLetter { hash.add(byte.asciiLowercased) }
            previous = byte
        }
        add(wordOf: hash)
    }

    private mutating func add(wordOf hash: CodeHash) {
        guard let purpose = Self.words[hash.value] else { return }
        if purpose == .locates || isDisjoint(with: [.writes, .reads, .upkeep]) { formUnion(purpose) }
    }

    private static let longestName = 80

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The purpose of a call.
    init(_ meaning: CodeMeaning) {
        switch meaning {
        case .writes, .database: self = .writes
        case .reads: self = .reads
        case .removes: self = .upkeep
        default: self = []
        }
    }
}

/// The lines of a function whose name states its purpose.
struct CodeFunction: Sendable {
    /// The hash of the name.
    let name: UInt32
    let first: UInt32
    let last: UInt32
    let purpose: CodePurpose
}

extension CodeFile {
    /// The functions that are looked at for the innermost one.
    private static let mostFunctions = 16

    /// Returns the innermost function with a purpose around a line.
    func function(at line: UInt32) -> CodeFunction? {
        var (low, high) = (0, functions.count)
        while low < high {
            let middle = (low + high) / 2
            if functions[middle].last < line { low = middle + 1 } else { high = middle }
        }
        // By their last lines: the first one that contains the line is the innermost.
        return functions[low...].prefix(Self.mostFunctions).first { $0.first <= line }
    }
}
