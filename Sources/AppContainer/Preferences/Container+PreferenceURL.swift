internal import FileSystem
internal import Foundation
internal import SystemPackage

/// How a preference keeps a URL: as text.
///
/// A file of the container is its path from there after `~/`, as `UserDefaults` shortens paths of the home directory,
/// which on iOS is the container. A file elsewhere is its absolute path. All else is the URL's own text.
extension Container {
    /// The text that stands for a URL, in preferences at `path`.
    func preference(for url: URL, path: FilePath) throws(PreferencesError) -> String {
        guard url.isFileURL else { return url.absoluteString }
        let text = url.absoluteURL.standardizedFileURL.path(percentEncoded: false)
        guard text.hasPrefix("/"), !text.utf8.contains(0) else {
            throw PreferencesError(
                .unsupported, path,
                "The file URL \(url.absoluteString) names what no text can: preferences keep a file by its path. "
                    + "Nothing on disk has changed. Keep its bytes as data.")
        }
        guard let inside = pathInside(FilePath(text)) else { return text }
        if inside.isEmpty { return "~" }
        return "~/" + inside.string + (text.hasSuffix("/") ? "/" : "")
    }

    /// The URL that a text stands for; nil where it stands for none, or leads out of the container by `..`.
    func url(preference text: String) -> URL? {
        guard !text.utf8.contains(0) else { return nil }
        if text == "~" || text.hasPrefix("~/") {
            guard let place = try? ContainerPath(String(text.dropFirst(2))), let path = try? path(place) else {
                return nil
            }
            let isDirectory = place.relative.isEmpty || text.hasSuffix("/")
            return URL(fileURLWithPath: path.string, isDirectory: isDirectory).absoluteURL
        }
        if text.hasPrefix("/") { return URL(fileURLWithPath: text, isDirectory: text.hasSuffix("/")) }
        return URL(string: text).flatMap { $0.scheme == nil ? nil : $0 }
    }

    /// The way from the container, if one of the directories on the way is the container, by whatever name: on Apple's
    /// systems it goes by `/var/…` and by `/private/var/…`.
    private func pathInside(_ path: FilePath) -> FilePath? {
        guard let own = try? folder.status("").identity else { return nil }
        var way = FilePath("/")
        for (index, component) in path.components.enumerated() {
            way.append(component)
            if let identity = try? Folder(opening: way).status("").identity, identity == own {
                return FilePath(root: nil, path.components.dropFirst(index + 1))
            }
        }
        return nil
    }
}
