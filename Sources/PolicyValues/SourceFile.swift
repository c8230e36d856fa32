package import FileSystem
internal import Foundation
package import SystemPackage
internal import TextOutput

/// A configuration or rule file.
package enum SourceFile {
    private static let maximumSize = 256 * 1024

    /// Its text. Bounded; what is no ordinary file is not opened.
    ///
    /// - Throws: `UnreadableSource`.
    package static func text(_ path: String) throws(UnreadableSource) -> String {
        let file = Invocation.current.workingDirectory.resolved(path)
        do {
            let values = try FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: file).resolvingSymlinksInPath().path)
            guard values[.type] as? FileAttributeType == .typeRegular else {
                throw UnreadableSource(path: path, reason: "it is not a file", hint: "Specify a file.")
            }
            guard let size = values[.size] as? NSNumber, size.int64Value <= maximumSize else {
                throw UnreadableSource(
                    path: path, reason: "it is larger than 256 KiB", hint: "Split it into several files.")
            }
            return try String(contentsOfFile: file, encoding: .utf8)
        } catch let error as UnreadableSource {
            throw error
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            throw UnreadableSource(
                path: path, reason: "the file does not exist",
                hint: "Check the path; `sandboxlint init` creates a configuration.")
        } catch let error as CocoaError where error.code == .fileReadNoPermission {
            throw UnreadableSource(
                path: path, reason: "permission denied", hint: "Check its owner and permissions.")
        } catch {
            throw UnreadableSource(path: path, reason: "it is not valid UTF-8", hint: "Save it as UTF-8.")
        }
    }

    /// Returns true if a path leads to a file.
    package static func isRegular(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        let file = Invocation.current.workingDirectory.resolved(path)
        return FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory) && !isDirectory.boolValue
    }

    /// Writes a file, whole: after a crash at any moment it is the old one or the new one.
    ///
    /// - Throws: `UnreadableSource` where that cannot be done; the old file is untouched then.
    package static func write(_ text: String, to path: String) throws(UnreadableSource) {
        let (folder, name) = try folderAndName(path)
        var conflicts = ConflictPolicy()
        conflicts.symbolicLink = .follow
        let bytes = Array(text.utf8)
        do throws(AtomicWriteError) {
            try AtomicWrite(conflicts: conflicts).write(to: name, in: folder) { file throws(FileSystemError) in
                try file.write(bytes)
            }
        } catch {
            throw UnreadableSource(
                path: path, reason: "it cannot be written: \(error.cause)",
                hint: "Check the permissions and the free disk space.")
        }
    }

    /// Opens the directory of a file, and returns it with the file's name.
    package static func folderAndName(_ path: String) throws(UnreadableSource) -> (Folder, FilePath) {
        let path = FilePath(path)
        guard let name = path.lastComponent else {
            throw UnreadableSource(path: path.string, reason: "it is not a file", hint: "Specify a file.")
        }
        let above = path.removingLastComponent()
        do throws(FileSystemError) {
            return (try Folder(opening: above.isEmpty ? "." : above), FilePath(root: nil, [name]))
        } catch {
            throw UnreadableSource(
                path: path.string, reason: "its directory cannot be opened: \(error)", hint: "Check the path.")
        }
    }

    /// A path that a file names: relative to that file, or to the working directory where an option names it.
    package static func path(_ name: String, besides position: SourcePosition) -> String {
        guard !name.hasPrefix("/"), !position.isOption, let slash = position.file.lastIndex(of: "/") else {
            return name
        }
        return position.file[...slash] + name
    }

    /// The same file by one name, whatever it is called.
    package static func identity(_ path: String) -> String {
        FilePath(path).physical(from: Invocation.current.workingDirectory.path).string
    }

    /// Returns true if a link on the path leads to a file outside the working directory. A link in the root directory,
    /// such as `/tmp` of macOS, is the system's own and does not count.
    package static func isReachedByLinkOut(_ path: String) -> Bool {
        let file = FilePath(identity(path))
        guard !file.starts(with: FilePath(identity("."))) else { return false }
        var named = Invocation.current.workingDirectory.path.pushing(FilePath(path)).lexicallyNormalized()
        guard let first = named.components.first else { return false }
        _ = named.removePrefix(FilePath("/").appending(first))
        return FilePath(identity("/\(first.string)")).appending(named.components) != file
    }
}

/// A configuration or rule that cannot be read.
public struct UnreadableSource: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file as given.
    public let path: String
    /// The reason, in one phrase.
    public let reason: String
    /// The solution, in one sentence.
    public let hint: String

    package init(path: String, reason: String, hint: String) {
        (self.path, self.reason, self.hint) = (path, reason, hint)
    }

    /// The file, the reason and the solution.
    public var description: String { ByteText.printable("\(path): \(reason). \(hint)") }
}
