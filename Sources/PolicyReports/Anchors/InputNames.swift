internal import TextOutput

/// The names of inputs in a report, without paths of this machine: the path in the repository, or the shortest end of the
/// path that distinguishes the input from the others.
struct InputNames {
    private let names: [String]
    private let isInRepository: [Bool]

    /// Creates the names of containers with these paths.
    init(_ paths: [String], in repository: Repository) {
        let resolved = paths.map(Repository.resolved)
        let relative = paths.map(repository.relative)
        func name(_ index: Int, _ depth: Int) -> String {
            relative[index] ?? resolved[index].split(separator: "/").suffix(depth).joined(separator: "/")
        }
        names = paths.indices.map { index in
            let others = paths.indices.filter { resolved[$0] != resolved[index] }
            let most = resolved[index].count { $0 == "/" }
            let depth = (1...max(1, most)).first { depth in
                !others.contains { name($0, depth) == name(index, depth) }
            }
            return name(index, depth ?? most)
        }
        isInRepository = relative.map { $0 != nil }
    }

    /// The prefix of the paths of an input's items; empty for a single input outside the repository.
    func prefix(of input: Int) -> String { isInRepository[input] || names.count > 1 ? names[input] : "" }

    /// The name to show, percent-escaped; nil for a single input.
    func label(of input: Int) -> String? {
        guard names.count > 1 else { return nil }
        return names[input].isEmpty ? "." : ByteText.escaped(Array(names[input].utf8))
    }
}
