internal import FileSystem
internal import Foundation
internal import PropertyLists
internal import SystemPackage

extension Container {
    /// Saves a value in the form that `encoder` gives it; the rest is as for bytes.
    ///
    ///     try container.save(library, to: .applicationSupport("library.json"), encoder: JSONEncoder())
    ///
    /// `limits` says how large the file may be, so that it can be loaded with the same limits.
    ///
    /// - Throws: `notEncodable` when the encoder refuses the value, `tooLarge` for one beyond the limits, and what saving
    ///   bytes throws.
    public func save(
        _ value: some Encodable, to place: ContainerPath, encoder: some ValueEncoder, overwrite: Overwrite = .replace,
        durability: Durability = .full, provenance: Provenance? = nil, limits: ValueLimits = ValueLimits(),
        fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        try save(
            try content(of: value, encoder, for: place, limits), to: place, overwrite: overwrite,
            durability: durability,
            provenance: provenance, fileID: fileID, line: line)
    }

    /// A file's content as a value.
    ///
    /// `limits` says how large the file may be.
    ///
    /// - Throws: `damaged` when the content is not of that form, `tooLarge` for one beyond the limits, and what loading
    ///   bytes throws.
    public func load<Value: Decodable>(
        _ type: Value.Type, from place: ContainerPath, decoder: some ValueDecoder, followingLinks: Bool = true,
        limits: ValueLimits = ValueLimits()
    ) throws(ContainerError) -> Value {
        let content = try content(of: try open(place, followingLinks: followingLinks), at: place, limits)
        return try value(type, of: content, decoder, at: place, limits)
    }

    /// Adds elements at the end of an array that a file holds; where there is no file, one is made.
    ///
    /// The file is saved anew, so after a crash it holds all of the addition or nothing of it. Others in this
    /// process who save the file wait meanwhile.
    ///
    /// `limits` says how large the file may be, before and with the addition.
    ///
    /// - Throws: `damaged` when the content is no such array, `tooLarge`, `notEncodable`, and what saving bytes throws.
    public func append<Element: Codable>(
        _ elements: [Element], to place: ContainerPath, encoder: some ValueEncoder, decoder: some ValueDecoder,
        durability: Durability = .full, provenance: Provenance? = nil, limits: ValueLimits = ValueLimits(),
        fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        let path = try relativeFile(place)
        let replace = replace(.replace, durability, provenance, CodeLocation(fileID: fileID, line: line))
        let hasMade = try makeParent(of: path)
        try withTurn(at: path) { () throws(ContainerError) in
            var all: [Element] = []
            if let old = try openIfPresent(path) {
                all = try value(
                    [Element].self, of: try content(of: old, at: place, limits), decoder, at: place, limits)
            }
            let content = try content(of: all + elements, encoder, for: place, limits)
            try write(to: path, replace, madeDirectories: hasMade) { file throws(FileSystemError) in
                try file.write(content)
            }
        }
    }

    func content(
        of value: some Encodable, _ encoder: some ValueEncoder, for place: ContainerPath, _ limits: ValueLimits
    ) throws(ContainerError) -> Data {
        let path = try relativeFile(place)
        let content: Data
        do { content = try encoder.encode(value) } catch {
            throw ContainerError(
                .notEncodable, path,
                "The value for “\(place)” cannot be encoded: \(error). Nothing on disk has changed.")
        }
        guard content.count <= limits.bytes else {
            throw ContainerError(
                tooLarge: "it takes \(content.count) bytes, more than \(limits.bytes)", at: path,
                onDisk: "Nothing on disk has changed.")
        }
        guard encoder is PropertyListEncoder else { return content }
        do throws(PropertyListError) { try limits.check(propertyList: content) } catch {
            guard error.code != .tooLarge else {
                throw ContainerError(tooLarge: "\(error)", at: path, onDisk: "Nothing on disk has changed.")
            }
            throw ContainerError(
                .notEncodable, path,
                "The value for “\(place)” is encoded to what cannot be loaded again: \(error). Nothing on disk has "
                    + "changed.")
        }
        return content
    }

    private func content(
        of file: OpenFile, at place: ContainerPath, _ limits: ValueLimits
    ) throws(ContainerError) -> Data {
        do throws(FileSystemError) {
            let size = try file.status().size
            if size <= UInt64(clamping: limits.bytes) {
                let content = try file.data()
                // It may have grown meanwhile.
                if content.count <= limits.bytes { return content }
            }
        } catch { throw ContainerError(error) }
        throw ContainerError(
            tooLarge: "it has more than \(limits.bytes) bytes", at: try relative(place),
            onDisk: "The file is as it was.")
    }

    private func value<Value: Decodable>(
        _ type: Value.Type, of content: Data, _ decoder: some ValueDecoder, at place: ContainerPath,
        _ limits: ValueLimits
    ) throws(ContainerError) -> Value {
        let path = try relative(place)
        do {
            if decoder is PropertyListDecoder { try limits.check(propertyList: content) }
            return try decoder.decode(type, from: content)
        } catch let error as PropertyListError where error.code == .tooLarge {
            throw ContainerError(tooLarge: "\(error)", at: path, onDisk: "The file is as it was.")
        } catch {
            throw ContainerError(
                .damaged, path,
                "“\(place)” is not a \(type) in that form: \(error). The file is as it was. "
                    + "Load its bytes to see what it holds.")
        }
    }
}
