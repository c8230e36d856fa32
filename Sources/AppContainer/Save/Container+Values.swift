internal import FileSystem
internal import Foundation
internal import PropertyLists
internal import SystemPackage

extension Container {
    /// Saves a value in the form that `encoder` gives it; the rest is as for bytes.
    ///
    ///     try container.save(library, to: .applicationSupport("library.json"), encoder: JSONEncoder())
    ///
    /// - Throws: `notEncodable` when the encoder refuses the value, and what saving bytes throws.
    public func save(
        _ value: some Encodable, to place: ContainerPath, encoder: some ValueEncoder, overwrite: Overwrite = .replace,
        durability: Durability = .full, provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        try save(
            try content(of: value, encoder, for: place), to: place, overwrite: overwrite, durability: durability,
            provenance: provenance, fileID: fileID, line: line)
    }

    /// A file's content as a value.
    ///
    /// - Throws: `damaged` when the content is not of that form, and what loading bytes throws.
    public func load<Value: Decodable>(
        _ type: Value.Type, from place: ContainerPath, decoder: some ValueDecoder, followingLinks: Bool = true
    ) throws(ContainerError) -> Value {
        let content = try load(place, followingLinks: followingLinks)
        return try value(type, of: content, decoder, at: place)
    }

    /// Adds elements at the end of an array that a file holds; where there is no file, one is made.
    ///
    /// The file is saved anew, so after a crash it holds all of the addition or nothing of it. Others in this
    /// process who save the file wait meanwhile.
    ///
    /// - Throws: `damaged` when the content is no such array, `notEncodable`, and what saving bytes throws.
    public func append<Element: Codable>(
        _ elements: [Element], to place: ContainerPath, encoder: some ValueEncoder, decoder: some ValueDecoder,
        durability: Durability = .full, provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        let path = try relativeFile(place)
        let replace = replace(.replace, durability, provenance, CodeLocation(fileID: fileID, line: line))
        let hasMade = try makeParent(of: path)
        try withTurn(at: path) { () throws(ContainerError) in
            var all: [Element] = []
            if let old = try openIfPresent(path) {
                let content: Data
                do throws(FileSystemError) { content = try old.data() } catch { throw ContainerError(error) }
                all = try value([Element].self, of: content, decoder, at: place)
            }
            let content = try content(of: all + elements, encoder, for: place)
            try write(to: path, replace, madeDirectories: hasMade) { file throws(FileSystemError) in
                try file.write(content)
            }
        }
    }

    func content(
        of value: some Encodable, _ encoder: some ValueEncoder, for place: ContainerPath
    ) throws(ContainerError) -> Data {
        do { return try encoder.encode(value) } catch {
            throw ContainerError(
                .notEncodable, try relative(place),
                "The value for “\(place)” cannot be encoded: \(error). Nothing on disk has changed.")
        }
    }

    private func value<Value: Decodable>(
        _ type: Value.Type, of content: Data, _ decoder: some ValueDecoder, at place: ContainerPath
    ) throws(ContainerError) -> Value {
        do {
            // Foundation's decoder follows references for ever in a list that holds itself, and ends the process.
            if decoder is PropertyListDecoder { try PropertyListGraph(parsing: Array(content)).requireUnfolding() }
            return try decoder.decode(type, from: content)
        } catch {
            throw ContainerError(
                .damaged, try relative(place),
                "“\(place)” is not a \(type) in that form: \(error). The file is as it was. "
                    + "Load its bytes to see what it holds.")
        }
    }
}
