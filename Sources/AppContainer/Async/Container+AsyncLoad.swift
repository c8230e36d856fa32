public import Foundation

// Async versions of the blocking calls of the same names. See Container+AsyncSave.
extension Container {
    /// Returns the bytes of a file. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func load(_ item: ContainerPath, followingLinks: Bool = true) async throws(ContainerError) -> Data {
        try await inBackground { container throws(ContainerError) in
            try container.load(item, followingLinks: followingLinks)
        }
    }

    /// Returns the bytes of a file as an array. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func loadBytes(
        _ item: ContainerPath, followingLinks: Bool = true
    ) async throws(ContainerError) -> [UInt8] {
        try await inBackground { container throws(ContainerError) in
            try container.loadBytes(item, followingLinks: followingLinks)
        }
    }

    /// Maps a file. See the blocking call of the same name. Access to the bytes may still block.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func loadMapped(
        _ item: ContainerPath, followingLinks: Bool = true
    ) async throws(ContainerError) -> Data {
        try await inBackground { container throws(ContainerError) in
            try container.loadMapped(item, followingLinks: followingLinks)
        }
    }

    /// Returns the text of a file. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func loadText(
        _ item: ContainerPath, encoding: String.Encoding = .utf8, followingLinks: Bool = true
    ) async throws(ContainerError) -> String {
        try await inBackground { container throws(ContainerError) in
            try container.loadText(item, encoding: encoding, followingLinks: followingLinks)
        }
    }

    /// Returns the content of a file as a value. See the blocking call of the same name. It is also decoded in the background.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func load<Value: Decodable & Sendable>(
        _ type: Value.Type, from item: ContainerPath, decoder: some ValueDecoder & Sendable,
        followingLinks: Bool = true, limits: ValueLimits = ValueLimits()
    ) async throws(ContainerError) -> Value {
        try await inBackground { container throws(ContainerError) in
            try container.load(
                type, from: item, decoder: decoder, followingLinks: followingLinks, limits: limits)
        }
    }

    /// Returns the content of a file as a value. See the blocking call of the same name. It is also decoded in the background.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func load<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, from item: ContainerPath, followingLinks: Bool = true,
        limits: ValueLimits = ValueLimits()
    ) async throws(ContainerError) -> Value {
        try await inBackground { container throws(ContainerError) in
            try container.load(type, from: item, followingLinks: followingLinks, limits: limits)
        }
    }

    /// Returns the items in a directory. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func list(
        _ item: ContainerPath, recursive: Bool = false, matching pattern: String? = nil
    ) async throws(ContainerError) -> [ContainerPath] {
        try await inBackground { container throws(ContainerError) in
            try container.list(item, recursive: recursive, matching: pattern)
        }
    }

    /// Returns true if there is an item at this path. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func exists(_ item: ContainerPath) async throws(ContainerError) -> Bool {
        try await inBackground { container throws(ContainerError) in try container.exists(item) }
    }

    /// Returns the attributes of an item. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func attributes(of item: ContainerPath) async throws(ContainerError) -> ItemAttributes {
        try await inBackground { container throws(ContainerError) in try container.attributes(of: item) }
    }

    /// Opens a file to read it piece by piece. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func reader(of item: ContainerPath, followingLinks: Bool = true) async throws(ContainerError) -> Reader {
        try await inBackground { container throws(ContainerError) in
            try container.reader(of: item, followingLinks: followingLinks)
        }
    }
}

extension Reader {
    /// Returns the next bytes. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func next(upTo count: Int = 65_536) async throws(ContainerError) -> Data? {
        try await Background.run(orThrow: ContainerError(cancelledAt: path)) { () throws(ContainerError) in
            try self.next(upTo: count)
        }
    }

    /// Returns the next line. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func nextLine(upTo maximum: Int = 1 << 20) async throws(ContainerError) -> String? {
        try await Background.run(orThrow: ContainerError(cancelledAt: path)) { () throws(ContainerError) in
            try self.nextLine(upTo: maximum)
        }
    }

    /// Returns the size of the content. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, `failed`.
    public func size() async throws(ContainerError) -> UInt64 {
        try await Background.run(orThrow: ContainerError(cancelledAt: path)) { () throws(ContainerError) in
            try self.size()
        }
    }
}
