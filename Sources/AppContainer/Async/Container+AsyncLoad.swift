public import Foundation

// As in Container+AsyncSave: the same as the calls of these names that wait, for a task.
extension Container {
    /// Reads a file's bytes: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what loading throws.
    public func load(_ place: ContainerPath, followingLinks: Bool = true) async throws(ContainerError) -> Data {
        try await inBackground { container throws(ContainerError) in
            try container.load(place, followingLinks: followingLinks)
        }
    }

    /// Reads a file's bytes as an array: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what loading throws.
    public func loadBytes(
        _ place: ContainerPath, followingLinks: Bool = true
    ) async throws(ContainerError) -> [UInt8] {
        try await inBackground { container throws(ContainerError) in
            try container.loadBytes(place, followingLinks: followingLinks)
        }
    }

    /// Maps a file's bytes: see the call that waits. Touching them may wait for the disk all the same.
    ///
    /// - Throws: `cancelled`, and what loading throws.
    public func loadMapped(
        _ place: ContainerPath, followingLinks: Bool = true
    ) async throws(ContainerError) -> Data {
        try await inBackground { container throws(ContainerError) in
            try container.loadMapped(place, followingLinks: followingLinks)
        }
    }

    /// Reads a file's text: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what loading text throws.
    public func loadText(
        _ place: ContainerPath, encoding: String.Encoding = .utf8, followingLinks: Bool = true
    ) async throws(ContainerError) -> String {
        try await inBackground { container throws(ContainerError) in
            try container.loadText(place, encoding: encoding, followingLinks: followingLinks)
        }
    }

    /// Reads a file's content as a value: see the call that waits. It is decoded in the background too.
    ///
    /// - Throws: `cancelled`, and what loading a value throws.
    public func load<Value: Decodable & Sendable>(
        _ type: Value.Type, from place: ContainerPath, decoder: some ValueDecoder & Sendable,
        followingLinks: Bool = true, limits: ValueLimits = ValueLimits()
    ) async throws(ContainerError) -> Value {
        try await inBackground { container throws(ContainerError) in
            try container.load(
                type, from: place, decoder: decoder, followingLinks: followingLinks, limits: limits)
        }
    }

    /// Lists the names in a directory: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what listing throws.
    public func list(_ place: ContainerPath) async throws(ContainerError) -> [ContainerPath] {
        try await inBackground { container throws(ContainerError) in try container.list(place) }
    }

    /// Opens a file to be read piece by piece: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what loading throws.
    public func reader(of place: ContainerPath, followingLinks: Bool = true) async throws(ContainerError) -> Reader {
        try await inBackground { container throws(ContainerError) in
            try container.reader(of: place, followingLinks: followingLinks)
        }
    }
}

extension Reader {
    /// Reads the next bytes: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what reading throws.
    public func next(upTo count: Int = 65_536) async throws(ContainerError) -> Data? {
        try await Background.run(orThrow: ContainerError(cancelledAt: path)) { () throws(ContainerError) in
            try self.next(upTo: count)
        }
    }

    /// Returns the bytes of content: see the call that waits.
    ///
    /// - Throws: `cancelled`, `failed`.
    public func size() async throws(ContainerError) -> UInt64 {
        try await Background.run(orThrow: ContainerError(cancelledAt: path)) { () throws(ContainerError) in
            try self.size()
        }
    }
}
