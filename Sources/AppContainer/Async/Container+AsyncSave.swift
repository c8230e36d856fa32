public import Foundation

// The same as the calls of these names that wait, for a task: the thread that a task runs on is free meanwhile. Each
// throws `cancelled` where the task was cancelled before the work was begun; what was begun is finished.
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
        limits: ValueLimits = ValueLimits(), fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.save(
                value, to: place, encoder: encoder, overwrite: overwrite, durability: durability,
                provenance: provenance, limits: limits, fileID: fileID, line: line)
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

    /// Adds text at the end of a file: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what appending text throws.
    public func append(
        _ text: String, to place: ContainerPath, encoding: String.Encoding = .utf8, durability: Durability = .full,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.append(
                text, to: place, encoding: encoding, durability: durability, provenance: provenance, fileID: fileID,
                line: line)
        }
    }

    /// Adds elements at the end of an array that a file holds: see the call that waits. They are encoded in the
    /// background too.
    ///
    /// - Throws: `cancelled`, and what appending elements throws.
    public func append<Element: Codable & Sendable>(
        _ elements: [Element], to place: ContainerPath, encoder: some ValueEncoder & Sendable,
        decoder: some ValueDecoder & Sendable, durability: Durability = .full, provenance: Provenance? = nil,
        limits: ValueLimits = ValueLimits(), fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.append(
                elements, to: place, encoder: encoder, decoder: decoder, durability: durability,
                provenance: provenance, limits: limits, fileID: fileID, line: line)
        }
    }

    /// Makes many saves together: see the call that waits. `fill` runs where the caller does, and the disk is waited
    /// for in the background.
    ///
    /// - Throws: `cancelled`, and what saving a batch throws.
    nonisolated(nonsending) public func batch(_ fill: (inout SaveBatch) throws -> Void) async throws {
        var batch = SaveBatch(self)
        try fill(&batch)
        let entries = batch.entries
        try await background { container in try container.save(entries) }
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

    /// Saves text where things of its kind belong: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what storing text throws.
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

    /// Saves a value where things of its kind belong: see the call that waits. It is encoded in the background too.
    ///
    /// - Throws: `cancelled`, and what storing a value throws.
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

    /// Opens a file to be written piece by piece: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what opening a writer throws.
    public func writer(
        to place: ContainerPath, overwrite: Overwrite = .replace, durability: Durability = .full,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) -> Writer {
        try await inBackground { container throws(ContainerError) in
            try container.writer(
                to: place, overwrite: overwrite, durability: durability, provenance: provenance, fileID: fileID,
                line: line)
        }
    }
}

extension Writer {
    /// Adds bytes at the end: see the call that waits.
    ///
    /// - Throws: `cancelled`, with which the writer stays open; and what writing throws.
    public func write(_ bytes: some ContiguousBytes & Sendable) async throws(ContainerError) {
        try await inBackground { writer throws(ContainerError) in try writer.write(bytes) }
    }

    /// Adds text at the end, as UTF-8: see the call that waits.
    ///
    /// - Throws: `cancelled`, with which the writer stays open; and what writing throws.
    public func write(_ text: String) async throws(ContainerError) {
        try await inBackground { writer throws(ContainerError) in try writer.write(text) }
    }

    /// Lets the file take its name: see the call that waits.
    ///
    /// - Throws: `cancelled`, with which the writer stays open; and what finishing throws.
    public func finish() async throws(ContainerError) {
        try await inBackground { writer throws(ContainerError) in try writer.finish() }
    }

    /// Gives the file up, also in a task that is cancelled: see the call that waits.
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
