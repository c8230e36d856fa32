internal import FileSystem
public import Foundation
internal import SystemPackage

extension Container {
    /// A file's bytes. Links are followed as long as they stay in the container.
    ///
    /// - Throws: `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `failed`.
    public func load(_ place: ContainerPath) throws(ContainerError) -> Data {
        let path = try relative(place)
        do throws(FileSystemError) {
            let file = try folder.open(path)
            guard try file.status().kind == .file else { throw FileSystemError("read", path, .isDirectory) }
            return Data(try file.contents())
        } catch { throw ContainerError(error) }
    }

    /// A file's text.
    ///
    /// - Throws: `notText` when the bytes are not of that encoding, and what loading bytes throws.
    public func loadText(_ place: ContainerPath, encoding: String.Encoding = .utf8) throws(ContainerError) -> String {
        guard let text = String(data: try load(place), encoding: encoding) else {
            throw ContainerError(
                .notText, try relative(place),
                "“\(place)” is not text of that encoding. Load it as Data, or name the encoding it was saved in.")
        }
        return text
    }

    /// The names in a directory, sorted by their bytes.
    ///
    /// - Throws: `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `failed`.
    public func list(_ place: ContainerPath) throws(ContainerError) -> [ContainerPath] {
        let path = try relative(place)
        let names: [FilePath]
        do throws(FileSystemError) { names = try folder.folder(path).names() } catch { throw ContainerError(error) }
        var places: [ContainerPath] = []
        for name in names {
            places.append(
                try ContainerPath(
                    place.location, place.relative.appending(name.components), namespaced: place.isNamespaced))
        }
        return places
    }
}
