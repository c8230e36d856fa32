internal import FileSystem
public import Foundation
internal import SystemPackage

/// A file or directory outside of the container that the user has picked, as long as the app uses it in place.
///
///     let book = PickedItem(url)
///     let data = try book.load()
///
/// On Apple's systems, the security scope of the URL is accessed until this object is deallocated. To keep a copy, use
/// `Container.importFile(at:to:)`.
public final class PickedItem: Sendable {
    /// The URL.
    public let url: URL
    private let scope: SecurityScope

    /// Accesses the item that a file picker, a drag or another app provides.
    public init(_ url: URL) {
        self.url = url
        scope = SecurityScope(url)
    }

    deinit { scope.end() }

    /// Returns the content of the file. A symbolic link in the last component is not followed.
    ///
    /// - Throws: `invalidPath` if the URL is not a file URL; `notFound`, `notAFile`, `permissionDenied`, `failed`.
    public func load() throws(ContainerError) -> Data {
        let file = try open()
        do throws(FileSystemError) { return try file.data() } catch { throw ContainerError(reading: error) }
    }

    /// Opens the file to read it piece by piece, such as the first bytes of a film.
    ///
    /// - Throws: The errors of `load()`.
    public func reader() throws(ContainerError) -> Reader { Reader(try open()) }

    /// Opens the file for reading.
    func open() throws(ContainerError) -> OpenFile {
        let path = try Container.filePath(of: url)
        do throws(FileSystemError) {
            let file = try OpenFile(opening: path, followingLinks: false)
            switch try file.status().kind {
            case .file: return file
            case .directory: throw FileSystemError("read", path: path, errno: .isDirectory)
            default: throw FileSystemError("read the special file", path: path, errno: .invalidArgument)
            }
        } catch {
            throw ContainerError(reading: FileSystemError(error.operation, path: path, errno: error.errno))
        }
    }

    #if canImport(Darwin)
    /// Returns data with which a later launch can access the item again (`URL.bookmarkData`).
    ///
    /// - Throws: The errors of Foundation.
    public func bookmark() throws -> Data {
        #if os(macOS)
        try url.bookmarkData(options: .withSecurityScope)
        #else
        try url.bookmarkData(options: .minimalBookmark)
        #endif
    }

    /// Accesses the item of a bookmark.
    ///
    /// - Parameters:
    ///   - bookmark: The data of `bookmark()`.
    ///   - isStale: True if the item was moved: store a new bookmark.
    /// - Throws: The errors of Foundation.
    public convenience init(bookmark: Data, isStale: inout Bool) throws {
        #if os(macOS)
        let url = try URL(
            resolvingBookmarkData: bookmark, options: .withSecurityScope, bookmarkDataIsStale: &isStale)
        #else
        let url = try URL(resolvingBookmarkData: bookmark, bookmarkDataIsStale: &isStale)
        #endif
        self.init(url)
    }
    #endif
}
