import AppContainer

/// One call of the library, and what it promises.
struct Step: Sendable {
    let title: String
    /// What is there when it has returned.
    let outcome: Outcome
    /// What else may be there when it has not.
    var between: [Outcome] = []
    let run: @Sendable (Container) throws -> Void
}

/// Saves of every kind, one after the other, each at `.full`. Every content is told from every other.
struct Script {
    static let bundleIdentifier = "com.example.cuts"

    private(set) var steps: [Step] = []
    /// Each content that a name was ever given.
    private(set) var given: [String: [[UInt8]]] = [:]
    /// What is there after the steps so far.
    private var entries: [String: Entry] = [:]

    /// One round: every kind of step. The files of the round before give way, so that the disk does not fill.
    mutating func addRound(_ number: Int) {
        let (documents, support) = ("Documents/\(number)", "Library/Application Support/\(Self.bundleIdentifier)")
        save("\(documents)/note.txt", 10)
        save("\(documents)/note.txt", 4096)
        exclude("\(documents)/note.txt")
        save("\(documents)/note.txt", 300 << 10)
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
        remove("\(support)/empty-\(number)")
        guard number > 0 else { return }
        removeDirectory("Documents/\(number - 1)")
        removeDirectory("\(support)/\(number - 1)")
    }

    // MARK: - Kinds of steps

    private mutating func save(_ name: String, _ size: Int, overwrite: Overwrite = .replace) {
        let content = content(size)
        add("save \(size) B as", name, Entry(content: content, isExcluded: entries[name]?.isExcluded == true)) {
            try $0.save(content, to: ContainerPath(name), overwrite: overwrite)
        }
    }

    private mutating func append(_ name: String, _ size: Int) {
        let addition = content(size)
        var entry = entries[name] ?? Entry(content: [])
        entry.content?.append(contentsOf: addition)
        add("append \(size) B to", name, entry) { try $0.append(addition, to: ContainerPath(name)) }
    }

    /// The flag alone is not brought down to the medium: it may be there until a save has kept it.
    private mutating func exclude(_ name: String) {
        let old = entries[name]
        entries[name]?.isExcluded = true
        steps.append(
            Step(title: "flag “\(name)”", outcome: [name: [old, entries[name]]]) {
                try $0.excludeFromBackup(ContainerPath(name))
            })
    }

    private mutating func copy(_ name: String, to newName: String) {
        guard let entry = entries[name] else { return }
        add("copy “\(name)” to", newName, entry) { try $0.copy(ContainerPath(name), to: ContainerPath(newName)) }
    }

    /// Each name is there whole, or nothing of it; all of them or none.
    private mutating func copyDirectory(_ name: String, to newName: String) {
        var outcome: Outcome = [:]
        for (old, entry) in tree(name) {
            let new = newName + old.dropFirst(name.count)
            outcome[new] = [entry]
            put(entry, new)
        }
        steps.append(
            Step(title: "copy directory “\(name)” to “\(newName)”", outcome: outcome) {
                try $0.copy(ContainerPath(name), to: ContainerPath(newName))
            })
    }

    /// Under one of its names, whole, or under both.
    private mutating func move(_ name: String, to newName: String) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        put(entry, newName)
        steps.append(
            Step(
                title: "move “\(name)” to “\(newName)”", outcome: [name: [nil], newName: [entry]],
                between: [[newName: [entry]]]
            ) { try $0.move(ContainerPath(name), to: ContainerPath(newName)) })
    }

    private mutating func moveDirectory(_ name: String, to newName: String) {
        var (outcome, both): (Outcome, Outcome) = ([:], [:])
        for (old, entry) in tree(name) {
            let new = newName + old.dropFirst(name.count)
            entries[old] = nil
            put(entry, new)
            outcome[old] = [nil]
            outcome[new] = [entry]
            both[new] = [entry]
        }
        steps.append(
            Step(title: "move directory “\(name)” to “\(newName)”", outcome: outcome, between: [both]) {
                try $0.move(ContainerPath(name), to: ContainerPath(newName))
            })
    }

    private mutating func makeDirectory(_ parent: String, _ names: String...) {
        var (name, outcome, between): (String, Outcome, [Outcome]) = (parent, [:], [])
        for component in names {
            name += "/" + component
            put(Entry(), name)
            outcome[name] = [Entry()]
            between.append(outcome)
        }
        let place = name
        steps.append(
            Step(title: "make the directory “\(name)”", outcome: outcome, between: between) {
                try $0.createDirectory(ContainerPath(place))
            })
    }

    private mutating func remove(_ name: String) {
        entries[name] = nil
        steps.append(
            Step(title: "remove “\(name)”", outcome: [name: [nil]]) { try $0.remove(ContainerPath(name)) })
    }

    /// Stopped part-way, some of it is gone and the rest is whole.
    private mutating func removeDirectory(_ name: String) {
        var (outcome, partly): (Outcome, Outcome) = ([:], [:])
        for (old, entry) in tree(name) {
            entries[old] = nil
            outcome[old] = [nil]
            partly[old] = [entry, nil]
        }
        steps.append(
            Step(title: "remove directory “\(name)”", outcome: outcome, between: [partly]) {
                try $0.remove(ContainerPath(name))
            })
    }

    // MARK: - What they are made of

    private mutating func add(
        _ verb: String, _ name: String, _ entry: Entry, run: @escaping @Sendable (Container) throws -> Void
    ) {
        put(entry, name)
        steps.append(Step(title: "\(verb) “\(name)”", outcome: [name: [entry]], run: run))
    }

    private mutating func put(_ entry: Entry, _ name: String) {
        entries[name] = entry
        if let content = entry.content { given[name, default: []].append(content) }
    }

    /// What is known of a directory and all that is in it.
    private func tree(_ name: String) -> [String: Entry] {
        entries.filter { $0.key == name || $0.key.hasPrefix(name + "/") }
    }

    private var serial: UInt32 = 0

    /// Bytes that no other call gives: words of a generator that begins with the call's number.
    private mutating func content(_ size: Int) -> [UInt8] {
        serial += 1
        var word = serial &* 2_654_435_761
        return (0..<size).map { _ in
            // Source: Numerical Recipes, the quick linear congruential generator.
            word = word &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: word >> 24)
        }
    }
}
