import AppContainer

/// A call of the library with its promise.
struct Step: Sendable {
    let title: String
    /// The state after the call.
    let outcome: Outcome
    /// Other possible states during the call.
    var between: [Outcome] = []
    let run: @Sendable (Container) throws -> Void
}

/// Saves of every kind, each at `.full`. All contents are distinct.
struct Script {
    static let bundleIdentifier = "com.example.cuts"

    var steps: [Step] = []
    /// Each content that a name ever had.
    var given: [String: [[UInt8]]] = [:]
    /// The state after the steps so far.
    var entries: [String: Entry] = [:]

    /// One round with every kind of step. Removes the files of the previous round, so that the disk does not fill.
    mutating func addRound(_ number: Int) {
        let (documents, support) = ("Documents/\(number)", "Library/Application Support/\(Self.bundleIdentifier)")
        save("\(documents)/note.txt", 10)
        save("\(documents)/note.txt", 4096)
        exclude("\(documents)/note.txt")
        save("\(documents)/note.txt", 300 << 10)
        makeDirectory(documents, "copies")
        copy("\(documents)/note.txt", to: "\(documents)/copies/note.txt")
        append("\(documents)/note.txt", 10)
        save("Documents/kept.txt", 4096 + number)
        save("\(support)/\(number)/deep/er/new.bin", 300 << 10)
        save("\(support)/empty-\(number)", 0)
        append("\(support)/empty-\(number)", 4096)
        save("\(support)/empty-\(number)", 0)
        makeDirectory("Library/Caches", "covers-\(number)", "small")
        move("\(documents)/note.txt", to: "Library/Caches/covers-\(number)/small/note.txt")
        save("Library/Caches/covers-\(number)/small/note.txt", 10)
        save("Library/Caches/covers-\(number)/large.bin", 300 << 10)
        exclude("Library/Caches/covers-\(number)")
        copyDirectory("Library/Caches/covers-\(number)", to: "\(documents)/covers")
        move("\(documents)/covers/large.bin", to: "\(documents)/covers/larger.bin")
        save("Documents/only-\(number).txt", 4096, overwrite: .never)
        moveDirectory("\(documents)/covers", to: "\(support)/\(number)/covers")
        save("\(support)/\(number)/covers/small/note.txt", 4096)
        batch(["\(documents)/a.bin", "\(documents)/copies/note.txt", "\(support)/\(number)/b.bin"], 4096)
        write("\(documents)/film.mov", pieces: 3, 150 << 10)
        write("\(documents)/copies/note.txt", pieces: 2, 10)
        replace("\(documents)/copies/note.txt", with: "\(support)/\(number)/b.bin")
        replaceDirectory("\(documents)/copies", with: "\(support)/\(number)/covers")
        store("\(number).jpg", 4096)
        include("\(support)/\(ContentKind.downloads)")
        store("shared/\(number).jpg", 4096)
        include("\(support)/\(ContentKind.downloads)")
        store("shared/again-\(number).jpg", 4096)
        remove("\(support)/empty-\(number)")
        guard number > 0 else { return }
        removeDirectory("Documents/\(number - 1)")
        removeDirectory("\(support)/\(number - 1)")
    }

    // MARK: - Parts of steps

    mutating func add(
        _ verb: String, _ name: String, _ entry: Entry, run: @escaping @Sendable (Container) throws -> Void
    ) {
        put(entry, name)
        steps.append(Step(title: "\(verb) “\(name)”", outcome: [name: [entry]], run: run))
    }

    mutating func put(_ entry: Entry, _ name: String) {
        entries[name] = entry
        if let content = entry.content { given[name, default: []].append(content) }
    }

    /// Returns the states of a directory and its content.
    func tree(_ name: String) -> [String: Entry] {
        entries.filter { $0.key == name || $0.key.hasPrefix(name + "/") }
    }

    private var serial: UInt32 = 0

    /// Bytes that are unique to a call: the output of a generator with the number of the call as its seed.
    mutating func content(_ size: Int) -> [UInt8] {
        serial += 1
        var word = serial &* 2_654_435_761
        return (0..<size).map { _ in
            // Source: Numerical Recipes, the quick linear congruential generator.
            word = word &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: word >> 24)
        }
    }
}
