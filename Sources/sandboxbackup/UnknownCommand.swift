import ArgumentParser

/// A first argument that is no command, with the command that does what it asks for.
struct UnknownCommand: Error, CustomStringConvertible {
    let name: String
    private let known: [String]

    /// Commands of other backup tools, and what they are called here.
    private static let synonyms: [String: [String]] = [
        "backup": ["create"], "save": ["create"], "snapshot": ["create"], "init": ["create"], "add": ["create"],
        "ls": ["snapshots", "diff"], "list": ["snapshots"], "log": ["snapshots"], "history": ["snapshots", "diff"],
        "info": ["snapshots"], "stats": ["snapshots"], "status": ["snapshots"], "check": ["verify"],
        "fsck": ["verify"], "test": ["verify"], "repair": ["verify"], "scrub": ["verify"], "extract": ["restore"],
        "recover": ["restore"], "dump": ["restore"], "get": ["restore"], "mount": ["restore"], "delete": ["forget"],
        "remove": ["forget"], "rm": ["forget"], "clean": ["prune"], "cleanup": ["prune"], "gc": ["prune"],
        "compact": ["prune"], "compare": ["diff"], "find": ["diff"], "explain": ["plan"], "show": ["plan"],
        "copy": ["export", "import"], "version": ["--version"],
    ]

    /// Nil where the arguments begin with a command or an option.
    init?(_ arguments: [String], known: [String]) {
        guard let name = arguments.first, !name.hasPrefix("-"), name != "help", !known.contains(name) else {
            return nil
        }
        (self.name, self.known) = (name, known)
    }

    var description: String {
        let nearest = (Self.synonyms[name.lowercased()] ?? Self.nearest(to: name, among: known))
        let hint =
            nearest.isEmpty
            ? "the commands are \(known.joined(separator: ", "))"
            : "did you mean \(nearest.map { "`sandboxbackup \($0)`" }.joined(separator: " or "))?"
        return "there is no command “\(name)”; \(hint)"
    }

    /// The names within two edits, the nearest ones only.
    private static func nearest(to name: String, among known: [String]) -> [String] {
        guard name.utf8.count <= 32 else { return [] }
        let distances = known.map { (name: $0, edits: edits(from: Array(name.utf8), to: Array($0.utf8))) }
        guard let least = distances.map(\.edits).min(), least <= 2 else { return [] }
        return distances.filter { $0.edits == least }.map(\.name)
    }

    /// How many bytes must be inserted, deleted or replaced (Levenshtein's distance).
    private static func edits(from left: [UInt8], to right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (byte == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
