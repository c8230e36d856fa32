public import Foundation
public import SystemPackage

// Async versions of the blocking calls of the same names. They do not block the thread of the task. Each throws
// `cancelled` if the task was cancelled before the work began; work that has begun is completed.
extension Container {
    /// Saves bytes. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func save(
        _ bytes: some ContiguousBytes & Sendable, to item: ContainerPath, overwrite: Overwrite = .replace,
        durability: Durability = .full, permissions: FilePermissions? = nil, provenance: Provenance? = nil,
        fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.save(
                bytes, to: item, overwrite: overwrite, durability: durability, permissions: permissions,
                provenance: provenance, fileID: fileID, line: line)
        }
    }

    /// Saves bytes of a type that could also be encoded as a value. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func save(
        _ bytes: some ContiguousBytes & Encodable & Sendable, to item: ContainerPath, overwrite: Overwrite = .replace,
        durability: Durability = .full, permissions: FilePermissions? = nil, provenance: Provenance? = nil,
        fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.save(
                bytes, to: item, overwrite: overwrite, durability: durability, permissions: permissions,
                provenance: provenance, fileID: fileID, line: line)
        }
    }

    /// Saves a value in the default format. See the blocking call of the same name. It is also encoded in the background.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func save(
        _ value: some Encodable & Sendable, to item: ContainerPath, overwrite: Overwrite = .replace,
        durability: Durability = .full, permissions: FilePermissions? = nil, provenance: Provenance? = nil,
        limits: ValueLimits = ValueLimits(), fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.save(
                value, to: item, overwrite: overwrite, durability: durability, permissions: permissions,
                provenance: provenance, limits: limits, fileID: fileID, line: line)
        }
    }

    /// Saves text. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func save(
        _ text: String, to item: ContainerPath, encoding: String.Encoding = .utf8, overwrite: Overwrite = .replace,
        durability: Durability = .full, permissions: FilePermissions? = nil, provenance: Provenance? = nil,
        fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.save(
                text, to: item, encoding: encoding, overwrite: overwrite, durability: durability,
                permissions: permissions, provenance: provenance, fileID: fileID, line: line)
        }
    }

    /// Saves a value. See the blocking call of the same name. It is also encoded in the background.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func save(
        _ value: some Encodable & Sendable, to item: ContainerPath, encoder: some ValueEncoder & Sendable,
        overwrite: Overwrite = .replace, durability: Durability = .full, permissions: FilePermissions? = nil,
        provenance: Provenance? = nil, limits: ValueLimits = ValueLimits(), fileID: String = #fileID,
        line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.save(
                value, to: item, encoder: encoder, overwrite: overwrite, durability: durability,
                permissions: permissions, provenance: provenance, limits: limits, fileID: fileID, line: line)
        }
    }

    /// Appends bytes to a file. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func append(
        _ bytes: some ContiguousBytes & Sendable, to item: ContainerPath, durability: Durability = .full,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.append(
                bytes, to: item, durability: durability, provenance: provenance, fileID: fileID, line: line)
        }
    }

    /// Appends text to a file. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func append(
        _ text: String, to item: ContainerPath, encoding: String.Encoding = .utf8, durability: Durability = .full,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.append(
                text, to: item, encoding: encoding, durability: durability, provenance: provenance, fileID: fileID,
                line: line)
        }
    }

    /// Appends elements to an array in a file. See the blocking call of the same name. They are also encoded in the
    /// background.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func append<Element: Codable & Sendable>(
        _ elements: [Element], to item: ContainerPath, encoder: some ValueEncoder & Sendable,
        decoder: some ValueDecoder & Sendable, durability: Durability = .full, provenance: Provenance? = nil,
        limits: ValueLimits = ValueLimits(), fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.append(
                elements, to: item, encoder: encoder, decoder: decoder, durability: durability,
                provenance: provenance, limits: limits, fileID: fileID, line: line)
        }
    }

    /// Saves several files together. See the blocking call of the same name. `fill` runs in the
    /// caller's context, the saves in the background.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    nonisolated(nonsending) public func batch(_ fill: (inout SaveBatch) throws -> Void) async throws {
        var batch = SaveBatch(self)
        try fill(&batch)
        let entries = batch.entries
        try await background { container in try container.save(entries) }
    }

    /// Saves bytes in the directory for their kind. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
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

    /// Saves bytes of a type that could also be encoded as a value in the directory for their kind. See the blocking call of
    /// the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    @discardableResult
    public func store(
        _ bytes: some ContiguousBytes & Encodable & Sendable, named name: String, as kind: ContentKind,
        expires expiry: Date? = nil, overwrite: Overwrite = .replace, durability: Durability = .full,
        fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) -> ContainerPath {
        try await inBackground { container throws(ContainerError) in
            try container.store(
                bytes, named: name, as: kind, expires: expiry, overwrite: overwrite, durability: durability,
                fileID: fileID, line: line)
        }
    }

    /// Saves a value in the default format in the directory for its kind. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    @discardableResult
    public func store(
        _ value: some Encodable & Sendable, named name: String, as kind: ContentKind, expires expiry: Date? = nil,
        overwrite: Overwrite = .replace, durability: Durability = .full, limits: ValueLimits = ValueLimits(),
        fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) -> ContainerPath {
        try await inBackground { container throws(ContainerError) in
            try container.store(
                value, named: name, as: kind, expires: expiry, overwrite: overwrite, durability: durability,
                limits: limits, fileID: fileID, line: line)
        }
    }

    /// Saves text in the directory for its kind. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    @discardableResult
    public func store(
        _ text: String, named name: String, as kind: ContentKind, encoding: String.Encoding = .utf8,
        expires expiry: Date? = nil, overwrite: Overwrite = .replace, durability: Durability = .full,
        fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) -> ContainerPath {
        try await inBackground { container throws(ContainerError) in
            try container.store(
                text, named: name, as: kind, encoding: encoding, expires: expiry, overwrite: overwrite,
                durability: durability, fileID: fileID, line: line)
        }
    }

    /// Saves a value in the directory for its kind. See the blocking call of the same name. It is also encoded in the background.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    @discardableResult
    public func store(
        _ value: some Encodable & Sendable, named name: String, as kind: ContentKind,
        encoder: some ValueEncoder & Sendable, expires expiry: Date? = nil, overwrite: Overwrite = .replace,
        durability: Durability = .full, limits: ValueLimits = ValueLimits(), fileID: String = #fileID,
        line: UInt = #line
    ) async throws(ContainerError) -> ContainerPath {
        try await inBackground { container throws(ContainerError) in
            try container.store(
                value, named: name, as: kind, encoder: encoder, expires: expiry, overwrite: overwrite,
                durability: durability, limits: limits, fileID: fileID, line: line)
        }
    }

    /// Opens a file to write it piece by piece. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func writer(
        to item: ContainerPath, overwrite: Overwrite = .replace, durability: Durability = .full,
        permissions: FilePermissions? = nil, provenance: Provenance? = nil, fileID: String = #fileID,
        line: UInt = #line
    ) async throws(ContainerError) -> Writer {
        try await inBackground { container throws(ContainerError) in
            try container.writer(
                to: item, overwrite: overwrite, durability: durability, permissions: permissions,
                provenance: provenance, fileID: fileID, line: line)
        }
    }
}

extension Writer {
    /// Appends bytes. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, in which case the writer stays open; and the errors of the blocking call.
    public func write(_ bytes: some ContiguousBytes & Sendable) async throws(ContainerError) {
        try await inBackground { writer throws(ContainerError) in try writer.write(bytes) }
    }

    /// Appends text as UTF-8. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, in which case the writer stays open; and the errors of the blocking call.
    public func write(_ text: String) async throws(ContainerError) {
        try await inBackground { writer throws(ContainerError) in try writer.write(text) }
    }

    /// Makes the file visible. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, in which case the writer stays open; and the errors of the blocking call.
    public func finish() async throws(ContainerError) {
        try await inBackground { writer throws(ContainerError) in try writer.finish() }
    }

    /// Discards the new file, even in a cancelled task. See the blocking call of the same name.
    public func cancel() async {
        await Background.always { self.cancel() }
    }

    private func inBackground(
        _ body: @escaping @Sendable (Writer) throws(ContainerError) -> Void
    ) async throws(ContainerError) {
        try await Background.run(orThrow: ContainerError(cancelledAt: path)) { () throws(ContainerError) in
            try body(self)
        }
    }
}
