internal import Foundation

/// A file that a person wrote for the linter: a configuration or a rule.
enum SourceFile {
    private static let maximumSize = 256 * 1024

    /// Its text. Bounded; what is no ordinary file is not opened.
    ///
    /// - Throws: `UnreadableSource`.
    static func text(_ path: String) throws(UnreadableSource) -> String {
        do {
            let values = try FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
            guard values[.type] as? FileAttributeType == .typeRegular else {
                throw UnreadableSource(path: path, reason: "it is no file")
            }
            guard let size = values[.size] as? NSNumber, size.intValue <= maximumSize else {
                throw UnreadableSource(path: path, reason: "it is larger than 256 KiB")
            }
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch let error as UnreadableSource {
            throw error
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            throw UnreadableSource(path: path, reason: "there is no such file")
        } catch let error as CocoaError where error.code == .fileReadNoPermission {
            throw UnreadableSource(path: path, reason: "reading it is not allowed")
        } catch { throw UnreadableSource(path: path, reason: "it is not readable as UTF-8 text") }
    }

    /// A path that a file names: relative to that file, or to the working directory where an option names it.
    static func path(_ name: String, besides place: SourcePlace) -> String {
        guard !name.hasPrefix("/"), !place.isOption, let slash = place.file.lastIndex(of: "/") else { return name }
        return place.file[...slash] + name
    }

    /// The same file by one name, whatever it is called.
    static func identity(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
}

/// A configuration or rule that cannot be read.
public struct UnreadableSource: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, as it was named.
    public let path: String
    /// Why, in one phrase.
    public let reason: String
    /// The file and why.
    public var description: String { "\(path): \(reason)." }
}
