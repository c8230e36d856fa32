public import AppContainer
internal import FileSystem
public import Foundation
internal import SystemPackage

extension Container {
    /// Reads a keyed archive, Apple's or our own, that may be damaged or made to do harm.
    ///
    /// Objects of Foundation's (texts, numbers, data, dates, URLs, UUIDs, null, arrays, dictionaries, sets, ordered
    /// sets, ranges, attributed texts) are read here; a class of the app decodes itself. The root's class and those
    /// in `allowing` may come anywhere, plain values (text, number, data, date, array, dictionary) always; a class
    /// of the app says with `decodeObject(of:forKey:)` what else its fields are. Nothing else is made.
    ///
    /// Other classes of Foundation's (`NSError`, `NSDateComponents`), and classes of the app that inherit from one other
    /// than `NSObject`, are refused before anything is decoded: decoding them may end the process on Linux.
    ///
    /// What Apple's `encodeEncodable` archived is a dictionary or an array of plain values, and is read as such
    /// (source: NSCoder.swift of Swift's Darwin overlay; no archive of Apple's own making was at hand).
    ///
    ///     let shelf = try container.unarchive(Shelf.self, from: .documents("shelf.archive"), allowing: [Book.self])
    ///
    /// - Parameters:
    ///   - type: What the root is.
    ///   - place: Where the file lies.
    ///   - classes: What else the archive may hold, each subclass by itself.
    ///   - names: Classes of the app that may come too, by the name the archive gives them; needed where that is not
    ///     `Module.Class`: for Objective-C names, a module renamed, a class within another.
    ///   - limits: How much is read.
    /// - Returns: The root, with all that hangs on it.
    /// - Throws: `notAnArchive`, `damaged`, `disallowedClass`, `unknownClass`, `badReference`, `tooDeep`, `tooLarge`;
    ///   `wrongType` for a root or a field of another type; `cycle` for an object that holds itself, which no class
    ///   of Swift could be given; `file` where the file cannot be read.
    public func unarchive<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type, from place: ContainerPath, allowing classes: [ArchivableClass] = [],
        named names: [String: ArchivableClass] = [:], limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> Object {
        let path = try archivePath(place)
        let bytes = try archiveBytes(path, limits)
        do throws(ArchiveFault) {
            return try ArchiveBytes.read(type, from: bytes, allowing: classes, named: names, limits: limits)
        } catch { throw ArchiveError(error, path: path.string, onDisk: "The file is untouched.") }
    }

    func archiveBytes(_ path: FilePath, _ limits: ArchiveLimits) throws(ArchiveError) -> [UInt8] {
        do throws(FileSystemError) {
            let file = try folder.open(path)
            guard try file.status().kind == .file else { throw FileSystemError("read", path, .isDirectory) }
            return try file.contents(limit: limits.bytes)
        } catch {
            guard error.errno != .fileTooLarge else {
                let fault = ArchiveFault(.tooLarge, "it has more than \(limits.bytes) bytes")
                throw ArchiveError(fault, path: path.string, onDisk: "The file is untouched.")
            }
            throw ArchiveError(ContainerError(error, onDisk: "The file is untouched."))
        }
    }
}
