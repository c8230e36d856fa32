internal import FileSystem
internal import Foundation
internal import SystemPackage

extension Container {
    /// Returns the origin and expiry date that a save recorded on a file, or nil if there is no record.
    ///
    /// - Throws: `notFound`, `notAFile` for a symbolic link, `leavesContainer`, `noIdentifier`, `permissionDenied`,
    ///   `noAttributes`, `failed`.
    public func provenance(of item: ContainerPath) throws(ContainerError) -> Provenance? {
        try recorded(on: item) { file throws(FileSystemError) in try Provenance(recordedOn: file) }
    }

    /// Returns the line of source code that saved a file, if saves record it (`recording`).
    ///
    /// - Throws: The errors of `provenance(of:)`.
    public func source(of item: ContainerPath) throws(ContainerError) -> CodeLocation? {
        try recorded(on: item) { file throws(FileSystemError) in
            try file.attribute(CodeLocation.attribute).flatMap { CodeLocation(String(decoding: $0, as: UTF8.self)) }
        }
    }

    private func recorded<Value>(
        on item: ContainerPath, _ read: (OpenFile) throws(FileSystemError) -> Value?
    ) throws(ContainerError) -> Value? {
        let path = try relative(item)
        do throws(FileSystemError) { return try read(try folder.open(path, followingLinks: false)) } catch {
            throw ContainerError(error)
        }
    }
}

extension Provenance {
    /// Reads the attributes of a file. Returns nil if they contain no known maker.
    init?(recordedOn file: OpenFile) throws(FileSystemError) {
        guard let word = try file.attribute(Self.makerAttribute),
            let maker = Maker(rawValue: String(decoding: word, as: UTF8.self))
        else { return nil }
        let expiry = try file.attribute(Self.expiryAttribute).map { String(decoding: $0, as: UTF8.self) }
        self.init(
            maker: maker,
            recordedOrigin: try file.attribute(Self.originAttribute).map { String(decoding: $0, as: UTF8.self) },
            expiry: expiry.flatMap { try? Date($0, strategy: .iso8601) })
    }
}
