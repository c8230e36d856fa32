internal import ContainerArchives
internal import AppContainer
internal import FileSystem
internal import Foundation
internal import SystemPackage

/// The forms in which a preference keeps a URL, which are those of `UserDefaults`.
///
/// A file of the container is its path from there after `~/`, as `UserDefaults` shortens paths of the home directory,
/// which on iOS is the container. A file elsewhere is its absolute path. Any other URL is a keyed archive of an NSURL.
extension Container {
    /// The value that stands for a URL, in preferences at `path`.
    func preference(for url: URL, path: FilePath) throws(PreferencesError) -> PreferenceValue {
        guard url.isFileURL else { return .data(try archive(of: url, path: path)) }
        let text = url.absoluteURL.standardizedFileURL.path(percentEncoded: false)
        guard text.hasPrefix("/"), !text.utf8.contains(0) else {
            throw PreferencesError(
                .unsupported, path,
                "The file URL \(url.absoluteString) names what no text can: preferences keep a file by its path. "
                    + "Nothing on disk has changed. Keep its bytes as data.")
        }
        guard let inside = pathInside(FilePath(text)) else { return .string(text) }
        if inside.isEmpty { return "~" }
        return .string("~/" + inside.string + (text.hasSuffix("/") ? "/" : ""))
    }

    private func archive(of url: URL, path: FilePath) throws(PreferencesError) -> Data {
        // On Linux a URL that is bridged has no base any more. Measured with Swift 6.3.1.
        let object = url.baseURL.flatMap { NSURL(string: url.relativeString, relativeTo: $0) } ?? url as NSURL
        do throws(ArchiveFault) {
            return Data(try ArchiveBytes.write(object, named: [:], limits: Self.urlLimits))
        } catch {
            throw PreferencesError(
                .unsupported, path,
                "The URL \(ArchiveFault.shown(url.absoluteString)) cannot be archived: \(error.text). Nothing on disk has "
                    + "changed. Keep its text.")
        }
    }

    /// A URL with its base, and the frame of an archive.
    private static let urlLimits: ArchiveLimits = {
        var limits = ArchiveLimits()
        (limits.bytes, limits.objects, limits.depth) = (PreferencesFile.readLimit, 1_000, 16)
        return limits
    }()

    /// The URL that an archive holds; nil for other data.
    func url(preference data: Data) -> URL? {
        let object = try? ArchiveBytes.read(
            NSURL.self, from: Array(data), allowing: [], named: [:], limits: Self.urlLimits)
        return object.flatMap { URL(string: $0.relativeString, relativeTo: $0.baseURL) }
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
