/// Reads a configuration and the files that it extends. Each file is read once and adds what it says once, where it is
/// first named, so that the work is bounded by the files and not by how often they name each other.
struct ConfigurationReader {
    /// Configurations that may build on each other in one line.
    private static let deepest = 8
    /// Files of one run.
    private static let mostFiles = 64
    /// Bytes of all of them.
    private static let mostBytes = 1 << 20

    /// The files that have been read, each by one name.
    private var known: Set<String> = []
    private var bytes = 0

    /// Reads the file that the user or the search named.
    mutating func read(_ file: String, text: String) throws(SourceError) -> Configuration {
        known.insert(SourceFile.identity(file))
        bytes += text.utf8.count
        let hiding = SourceFile.isReachedByLinkOut(file) ? "a link on its path leads out of the working directory" : nil
        return try whole(try Configuration(file: file, text: text, hiding: hiding), file: file, chain: [])
    }

    /// Returns a configuration with all that it extends.
    private mutating func whole(
        _ own: Configuration, file: String, chain: [String]
    ) throws(SourceError) -> Configuration {
        var whole = Configuration.none
        let chain = chain + [SourceFile.identity(file)]
        for name in own.extends?.value ?? [] {
            guard let position = own.extends?.position else { continue }
            if name.contains("://") { throw position.plainError("only local files can be extended") }
            let path = SourceFile.path(name, besides: position)
            let identity = SourceFile.identity(path)
            guard !chain.contains(identity) else {
                throw position.plainError("the file that is named here extends this file, which is a cycle")
            }
            guard chain.count < Self.deepest else {
                throw position.plainError("more than \(Self.deepest) levels of `extends`")
            }
            guard known.insert(identity).inserted else { continue }
            guard known.count <= Self.mostFiles else {
                throw position.plainError("more than \(Self.mostFiles) files in `extends`")
            }
            whole.add(try extended(path, at: position, chain: chain))
        }
        whole.add(own)
        return whole
    }

    private mutating func extended(
        _ path: String, at position: SourcePosition, chain: [String]
    ) throws(SourceError) -> Configuration {
        let text: String
        do throws(UnreadableSource) { text = try SourceFile.text(path) } catch {
            throw position.plainError("the file that is named here cannot be read: \(error.reason)")
        }
        bytes += text.utf8.count
        guard bytes <= Self.mostBytes else {
            throw position.plainError("the extended configurations are larger than 1 MiB")
        }
        let own = try Configuration(file: path, text: text, hiding: "\(position.shortName) extends the file")
        return try whole(own, file: path, chain: chain)
    }
}
