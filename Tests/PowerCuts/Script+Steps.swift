import AppContainer
import Foundation

// One function for each kind of step, with the states that are allowed during and after it.
extension Script {
    mutating func save(_ name: String, _ size: Int, overwrite: Overwrite = .replace) {
        let content = content(size)
        add("save \(size) B as", name, Entry(content: content, isExcluded: entries[name]?.isExcluded == true)) {
            try $0.save(content, to: ContainerPath(name), options: .init(overwrite: overwrite))
        }
    }

    mutating func append(_ name: String, _ size: Int) {
        let addition = content(size)
        var entry = entries[name] ?? Entry(content: [])
        entry.content?.append(contentsOf: addition)
        add("append \(size) B to", name, entry) { try $0.append(addition, to: ContainerPath(name)) }
    }

    mutating func exclude(_ name: String) {
        guard var entry = entries[name] else { return }
        entry.isExcluded = true
        add("flag", name, entry) { try $0.excludeFromBackup(ContainerPath(name)) }
    }

    mutating func include(_ name: String) {
        guard var entry = entries[name] else { return }
        entry.isExcluded = false
        add("take the flag off", name, entry) { try $0.includeInBackup(ContainerPath(name)) }
    }

    mutating func copy(_ name: String, to newName: String) {
        guard let entry = entries[name] else { return }
        add("copy “\(name)” to", newName, entry) { try $0.copy(ContainerPath(name), to: ContainerPath(newName)) }
    }

    /// Each file exists completely or not at all; all of them or none.
    mutating func copyDirectory(_ name: String, to newName: String) {
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

    /// It exists under one name, completely, or under both.
    mutating func move(_ name: String, to newName: String) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        put(entry, newName)
        steps.append(
            Step(
                title: "move “\(name)” to “\(newName)”", outcome: [name: [nil], newName: [entry]],
                between: [[newName: [entry]]]
            ) { try $0.move(ContainerPath(name), to: ContainerPath(newName)) })
    }

    mutating func moveDirectory(_ name: String, to newName: String) {
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

    mutating func makeDirectory(_ parent: String, _ names: String...) {
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

    mutating func remove(_ name: String) {
        entries[name] = nil
        steps.append(
            Step(title: "remove “\(name)”", outcome: [name: [nil]]) { try $0.remove(ContainerPath(name)) })
    }

    /// During the removal, some of it is gone and the rest is complete.
    mutating func removeDirectory(_ name: String) {
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

    /// A file replaces another one and gets its exclusion, or keeps its own.
    mutating func replace(_ name: String, with other: String) {
        guard let old = entries[name], let new = entries.removeValue(forKey: other) else { return }
        let result = Entry(content: new.content, isExcluded: old.isExcluded || new.isExcluded)
        put(result, name)
        steps.append(
            Step(
                title: "replace “\(name)” with “\(other)”", outcome: [name: [result], other: [nil]],
                between: [[other: [new, result]], [name: [result], other: [result]]]
            ) { try $0.replace(ContainerPath(name), with: ContainerPath(other)) })
    }

    /// The two are exchanged atomically; the old one is then removed.
    mutating func replaceDirectory(_ name: String, with other: String) {
        let (old, new) = (tree(name), tree(other))
        var (outcome, exchanged): (Outcome, Outcome) = ([:], [:])
        for key in old.keys { (entries[key], outcome[key], exchanged[key]) = (nil, [nil], [nil]) }
        for key in new.keys { (entries[key], outcome[key], exchanged[key]) = (nil, [nil], [nil]) }
        var flagged: Outcome = [:]
        for (key, entry) in new {
            var entry = entry
            if key == other {
                entry.isExcluded = entry.isExcluded || old[name]?.isExcluded == true
                flagged[other] = [new[other], entry]
            }
            let key = name + key.dropFirst(other.count)
            put(entry, key)
            (outcome[key], exchanged[key]) = ([entry], [entry])
        }
        for (key, entry) in old {
            let key = other + key.dropFirst(name.count)
            if let content = entry.content { given[key, default: []].append(content) }
            exchanged[key] = [entry, nil]
            outcome[key] = outcome[key] ?? [nil]
        }
        steps.append(
            Step(
                title: "replace directory “\(name)” with “\(other)”", outcome: outcome,
                between: [flagged, exchanged]
            ) { try $0.replace(ContainerPath(name), with: ContainerPath(other)) })
    }

    /// Each file of a batch is old or new; all are new when it returns.
    mutating func batch(_ names: [String], _ size: Int) {
        let files = names.map { ($0, content(size)) }
        var (outcome, partly): (Outcome, Outcome) = ([:], [:])
        for (name, content) in files {
            let entry = Entry(content: content, isExcluded: entries[name]?.isExcluded == true)
            (outcome[name], partly[name]) = ([entry], [entries[name], entry])
            put(entry, name)
        }
        steps.append(
            Step(title: "batch of “\(names.joined(separator: "”, “"))”", outcome: outcome, between: [partly]) {
                try $0.batch { batch in
                    for (name, content) in files { try batch.save(content, to: ContainerPath(name)) }
                }
            })
    }

    /// A file that is written piece by piece.
    mutating func write(_ name: String, pieces count: Int, _ size: Int) {
        let pieces = (0..<count).map { _ in content(size) }
        let entry = Entry(content: Array(pieces.joined()), isExcluded: entries[name]?.isExcluded == true)
        add("write \(count) times \(size) B to", name, entry) {
            let writer = try $0.writer(to: ContainerPath(name))
            for piece in pieces { try writer.write(piece) }
            try writer.finish()
        }
    }

    /// A download for offline use: the directory is excluded before the file exists.
    mutating func store(_ name: String, _ size: Int) {
        let support = "Library/Application Support/\(Self.bundleIdentifier)"
        let (directory, content) = ("\(support)/\(ContentKind.downloads)", content(size))
        let (flagged, file) = (Entry(isExcluded: true), Entry(content: content))
        let old = entries[directory]
        put(flagged, directory)
        put(file, "\(directory)/\(name)")
        steps.append(
            Step(
                title: "store the download “\(name)”", outcome: [directory: [flagged], "\(directory)/\(name)": [file]],
                between: [[directory: [old, Entry(), flagged]]]
            ) { container in
                guard let origin = URL(string: "https://example.com/\(name)") else { return }
                try container.store(content, named: name, as: .downloaded(from: origin, keepOffline: true))
            })
    }
}
