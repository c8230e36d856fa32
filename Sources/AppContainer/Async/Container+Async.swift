public import Foundation

// The same as the calls of these names that wait, for a task: the thread that a task runs on is free meanwhile. Each
// throws `cancelled` where the task was cancelled before the work was begun; a save that was begun is finished.
extension Container {
    /// Saves bytes: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what saving bytes throws.
    public func save(
        _ bytes: some ContiguousBytes & Sendable, to place: ContainerPath, overwrite: Overwrite = .replace,
        durability: Durability = .full, provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.save(
                bytes, to: place, overwrite: overwrite, durability: durability, provenance: provenance,
                fileID: fileID, line: line)
        }
    }

    /// Saves text: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what saving text throws.
    public func save(
        _ text: String, to place: ContainerPath, encoding: String.Encoding = .utf8, overwrite: Overwrite = .replace,
        durability: Durability = .full, provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.save(
                text, to: place, encoding: encoding, overwrite: overwrite, durability: durability,
                provenance: provenance, fileID: fileID, line: line)
        }
    }

    /// Saves a value: see the call that waits. It is encoded in the background too.
    ///
    /// - Throws: `cancelled`, and what saving a value throws.
    public func save(
        _ value: some Encodable & Sendable, to place: ContainerPath, encoder: some ValueEncoder & Sendable,
        overwrite: Overwrite = .replace, durability: Durability = .full, provenance: Provenance? = nil,
        fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.save(
                value, to: place, encoder: encoder, overwrite: overwrite, durability: durability,
                provenance: provenance, fileID: fileID, line: line)
        }
    }

    /// Adds bytes at the end of a file: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what appending throws.
    public func append(
        _ bytes: some ContiguousBytes & Sendable, to place: ContainerPath, durability: Durability = .full,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.append(
                bytes, to: place, durability: durability, provenance: provenance, fileID: fileID, line: line)
        }
    }

    /// Saves bytes where things of their kind belong: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what storing throws.
    @discardableResult
    public func store(
        _ bytes: some ContiguousBytes & Sendable, named name: String, as kind: ContentKind,
        expires expiry: Date? = nil, overwrite: Overwrite = .replace, durability: Durability = .full,
        fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) -> ContainerPath {
        try await inBackground { container throws(ContainerError) in
            try container.store(
                bytes, named: name, as: kind, expires: expiry, overwrite: overwrite, durability: durability,
                fileID: fileID, line: line)
        }
    }

    /// A file's bytes: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what loading throws.
    public func load(_ place: ContainerPath, followingLinks: Bool = true) async throws(ContainerError) -> Data {
        try await inBackground { container throws(ContainerError) in
            try container.load(place, followingLinks: followingLinks)
        }
    }

    /// A file's text: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what loading text throws.
    public func loadText(
        _ place: ContainerPath, encoding: String.Encoding = .utf8, followingLinks: Bool = true
    ) async throws(ContainerError) -> String {
        try await inBackground { container throws(ContainerError) in
            try container.loadText(place, encoding: encoding, followingLinks: followingLinks)
        }
    }

    /// A file's content as a value: see the call that waits. It is decoded in the background too.
    ///
    /// - Throws: `cancelled`, and what loading a value throws.
    public func load<Value: Decodable & Sendable>(
        _ type: Value.Type, from place: ContainerPath, decoder: some ValueDecoder & Sendable,
        followingLinks: Bool = true
    ) async throws(ContainerError) -> Value {
        try await inBackground { container throws(ContainerError) in
            try container.load(type, from: place, decoder: decoder, followingLinks: followingLinks)
        }
    }
}
