public import Foundation
internal import SystemPackage

extension Container {
    /// Saves bytes where things of their kind belong, with the flag that goes with it, and records what they are.
    ///
    ///     let place = try container.store(cover, named: "covers/1.jpg", as: .downloaded(from: url, keepOffline: true))
    ///
    /// - Parameters:
    ///   - bytes: The whole content.
    ///   - name: The file's name, which may hold directories.
    ///   - kind: What it is to the app: see `ContentKind`.
    ///   - expiry: From when on `purgeExpired()` removes it; heeded only for what can be had again.
    ///   - overwrite: What gives way.
    ///   - durability: What is done before the call returns for the file to last.
    ///   - fileID: The caller, recorded where `recording` says so.
    ///   - line: The caller's line.
    /// - Returns: Where the file lies.
    /// - Throws: What saving bytes throws; `invalidPath` for a name that is none.
    @discardableResult
    public func store(
        _ bytes: some ContiguousBytes, named name: String, as kind: ContentKind, expires expiry: Date? = nil,
        overwrite: Overwrite = .replace, durability: Durability = .full, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) -> ContainerPath {
        let place = try prepare(name, kind)
        try save(
            bytes, to: place, overwrite: overwrite, durability: durability,
            provenance: kind.provenance(expires: expiry),
            fileID: fileID, line: line)
        return place
    }

    /// The same for text.
    ///
    /// - Throws: `notText`, and what storing bytes throws.
    @discardableResult
    public func store(
        _ text: String, named name: String, as kind: ContentKind, encoding: String.Encoding = .utf8,
        expires expiry: Date? = nil, overwrite: Overwrite = .replace, durability: Durability = .full,
        fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) -> ContainerPath {
        let place = try prepare(name, kind)
        try save(
            text, to: place, encoding: encoding, overwrite: overwrite, durability: durability,
            provenance: kind.provenance(expires: expiry), fileID: fileID, line: line)
        return place
    }

    /// The same for a value, in the form that `encoder` gives it.
    ///
    /// - Throws: `notEncodable`, `tooLarge`, and what storing bytes throws.
    @discardableResult
    public func store(
        _ value: some Encodable, named name: String, as kind: ContentKind, encoder: some ValueEncoder,
        expires expiry: Date? = nil, overwrite: Overwrite = .replace, durability: Durability = .full,
        limits: ValueLimits = ValueLimits(), fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) -> ContainerPath {
        let place = try prepare(name, kind)
        try save(
            value, to: place, encoder: encoder, overwrite: overwrite, durability: durability,
            provenance: kind.provenance(expires: expiry), limits: limits, fileID: fileID, line: line)
        return place
    }

    /// The flag lies on the directory, there to stay, before the first file is in it: what is saved there is never
    /// seen without, nor after a power cut.
    private func prepare(_ name: String, _ kind: ContentKind) throws(ContainerError) -> ContainerPath {
        let place = try kind.place(named: name)
        _ = try relativeFile(place)
        guard let directory = try kind.flaggedDirectory else { return place }
        try createDirectory(directory)
        guard try exclusion(of: directory).state == .included else {
            // Whoever has just flagged it is waited for until that is on the medium.
            withTurn(at: try relative(directory)) {}
            return place
        }
        do throws(ContainerError) { try excludeFromBackup(directory) } catch {
            guard error.code == .durabilityUnknown else { throw error }
            // Taken off again, since who tries once more would take it for one that lasts.
            try? includeInBackup(directory)
            throw ContainerError(
                .failed, try relative(place), errno: error.errno.map { Errno(rawValue: $0) },
                "The flag of “\(directory)” cannot be brought down to the medium, so “\(place)” was not saved. "
                    + "The old file is untouched. Try again.")
        }
        return place
    }
}
