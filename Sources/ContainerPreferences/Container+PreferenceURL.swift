internal import ContainerArchives
internal import AppContainer
internal import FileSystem
internal import Foundation
internal import SystemPackage

/// The representations of a URL in preferences, which are those of `UserDefaults`.
///
/// A file in the container is stored as a path that begins with `~/`, as `UserDefaults` abbreviates paths in the home
/// directory, which is the container on iOS. Another file is stored as an absolute path. Any other URL is a keyed
/// archive of an NSURL.
extension Container {
    /// Returns the value that represents a URL in the preferences at `path`.
    func preference(for url: URL, path: FilePath) throws(PreferencesError) -> PreferenceValue {
        guard url.isFileURL else { return .data(try archive(of: url, path: path)) }
        let text = url.absoluteURL.standardizedFileURL.path(percentEncoded: false)
        guard text.hasPrefix("/"), !text.utf8.contains(0) else {
            throw PreferencesError(
                .unsupported, path,
                "The file URL \(url.absoluteString) is not valid text, and preferences store the path of a file. "
                    + "Nothing on disk has changed. Store its bytes as data.")
        }
        guard let inside = pathInside(FilePath(text)) else { return .string(text) }
        if inside.isEmpty { return "~" }
        return .string("~/" + inside.string + (text.hasSuffix("/") ? "/" : ""))
    }

    private func archive(of url: URL, path: FilePath) throws(PreferencesError) -> Data {
        // On Linux, a bridged URL has no base. Measured with Swift 6.3.1.
        let object = url.baseURL.flatMap { NSURL(string: url.relativeString, relativeTo: $0) } ?? url as NSURL
        do throws(ArchiveFault) {
            return Data(try ArchiveBytes.write(object, named: [:], limits: Self.urlLimits))
        } catch {
            throw PreferencesError(
                .unsupported, path,
                "The URL \(ArchiveFault.shown(url.absoluteString)) cannot be archived: \(error.text). Nothing on disk has "
                    + "changed. Store its text.")
        }
    }

    /// The limits for the archive of a URL with its base.
    private static let urlLimits: ArchiveLimits = {
        var limits = ArchiveLimits()
        (limits.bytes, limits.objects, limits.depth) = (PreferencesFile.readLimit, 1_000, 16)
        return limits
    }()

    /// Returns the URL in an archive, or nil for other data.
    func url(preference data: Data) -> URL? {
        let object = try? ArchiveBytes.read(
            NSURL.self, from: Array(data), allowing: [], named: [:], limits: Self.urlLimits)
        return object.flatMap { URL(string: $0.relativeString, relativeTo: $0.baseURL) }
    }

    /// Returns the URL for a text, or nil if it is not a URL or leads out of the container with `..`.
    func url(preference text: String) -> URL? {
        guard !text.utf8.contains(0) else { return nil }
        if text == "~" || text.hasPrefix("~/") {
            let item = ContainerPath(String(text.dropFirst(2)))
            guard let path = try? path(item) else { return nil }
            let isDirectory = item.isStandardDirectory || text.hasSuffix("/")
            return URL(fileURLWithPath: path.string, isDirectory: isDirectory).absoluteURL
        }
        if text.hasPrefix("/") { return URL(fileURLWithPath: text, isDirectory: text.hasSuffix("/")) }
        return URL(string: text).flatMap { $0.scheme == nil ? nil : $0 }
    }

    /// Returns the path relative to the container, or nil for a path outside. The container is identified by its inode:
    /// on Apple's systems it has the paths `/var/…` and `/private/var/…`.
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
