internal import TextOutput

/// The names of inputs in a report, without paths of this machine: the path in the repository, the label of a container that
/// was found in an input, or the shortest end of the path that distinguishes the input from the others.
package struct InputNames {
    private let names: [String]
    private let isPrefix: [Bool]

    /// Creates the names of containers.
    package init(_ inputs: [(path: String, label: String?)]) { self.init(inputs, in: .current) }

    init(_ inputs: [(path: String, label: String?)], in repository: Repository) {
        let resolved = inputs.map { Repository.resolved($0.path) }
        let fixed = inputs.map { repository.relative($0.path) ?? $0.label }
        func name(_ index: Int, depth: Int) -> String {
            fixed[index] ?? resolved[index].split(separator: "/").suffix(depth).joined(separator: "/")
        }
        // The paths with each name of a length, so that the time grows with the number of inputs and not with its square.
        var owners: [Int: [String: Set<String>]] = [:]
        names = inputs.indices.map { index in
            if let name = fixed[index] { return name }
            let most = resolved[index].count { $0 == "/" }
            let depth = (1...max(1, most)).first { depth in
                if owners[depth] == nil {
                    owners[depth] = inputs.indices.reduce(into: [:]) {
                        $0[name($1, depth: depth), default: []].insert(resolved[$1])
                    }
                }
                return owners[depth]?[name(index, depth: depth)]?.count == 1
            }
            return name(index, depth: depth ?? most)
        }
        isPrefix = inputs.map { repository.relative($0.path) != nil }
    }

    /// The prefix of the paths of an input's items; empty for a single input outside the repository.
    func prefix(of input: Int) -> String { isPrefix[input] || names.count > 1 ? names[input] : "" }

    /// The name of an input.
    package func name(of input: Int) -> String { names[input].isEmpty ? "." : names[input] }

    /// The name to show, percent-escaped; nil for a single input.
    func label(of input: Int) -> String? {
        guard names.count > 1 else { return nil }
        return ByteText.escaped(Array(name(of: input).utf8))
    }
}
