internal import FileSystem
internal import Foundation
internal import SystemPackage

extension Container {
    /// Who made a file, from where it came and until when it is kept, as a save recorded it; nil where none did.
    ///
    /// - Throws: `notFound`, `notAFile` for a symbolic link, `leavesContainer`, `noIdentifier`, `permissionDenied`,
    ///   `noAttributes`, `failed`.
    public func provenance(of place: ContainerPath) throws(ContainerError) -> Provenance? {
        try recorded(on: place) { file throws(FileSystemError) in try Provenance(recordedOn: file) }
    }

    /// The line of source that saved a file, where saves record it (`recording`).
    ///
    /// - Throws: As `provenance(of:)` does.
    public func source(of place: ContainerPath) throws(ContainerError) -> CodeLocation? {
        try recorded(on: place) { file throws(FileSystemError) in
            try file.attribute(CodeLocation.attribute).flatMap { CodeLocation(String(decoding: $0, as: UTF8.self)) }
        }
    }

    private func recorded<Value>(
        on place: ContainerPath, _ read: (OpenFile) throws(FileSystemError) -> Value?
    ) throws(ContainerError) -> Value? {
        let path = try relative(place)
        do throws(FileSystemError) { return try read(try folder.open(path, followingLinks: false)) } catch {
            throw ContainerError(error)
        }
    }
}

extension Provenance {
    /// What the attributes of a file say; nil where they name no maker that is known.
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
