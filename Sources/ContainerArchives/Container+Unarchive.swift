public import AppContainer
internal import FileSystem
public import Foundation
internal import SystemPackage

extension Container {
    /// Reads a keyed archive of Apple's systems or of this library. The file may be damaged or malicious.
    ///
    /// Supported Foundation objects (strings, numbers, data, dates, URLs, UUIDs, null, arrays, dictionaries, sets,
    /// ordered sets, ranges, attributed strings) are decoded by this library. A class of the app decodes itself. The
    /// class of the root and those in `allowing` are allowed everywhere, plain values (string, number, data, date,
    /// array, dictionary) always. A class of the app states the other classes of its fields with
    /// `decodeObject(of:forKey:)`. No other objects are created.
    ///
    /// Other Foundation classes (`NSError`, `NSDateComponents`), and classes of the app that inherit from one other
    /// than `NSObject`, are refused before anything is decoded, because decoding them may end the process on Linux.
    ///
    /// The result of Apple's `encodeEncodable` is a dictionary or an array of plain values and can be read as such
    /// (source: NSCoder.swift of Swift's Darwin overlay; not tested with an archive of an Apple system).
    ///
    ///     let shelf = try container.unarchive(Shelf.self, from: .documents("shelf.archive"), allowing: [Book.self])
    ///
    /// - Parameters:
    ///   - type: The class of the root.
    ///   - item: The path of the file.
    ///   - classes: The other classes that are allowed, with their subclasses.
    ///   - names: Allowed classes of the app by their name in the archive. Required if the name is not `Module.Class`:
    ///     for Objective-C names, renamed modules and nested classes.
    ///   - limits: The limits for reading.
    /// - Returns: The root object.
    /// - Throws: `notAnArchive`, `damaged`, `disallowedClass`, `unknownClass`, `badReference`, `tooDeep`, `tooLarge`;
    ///   `wrongType` for a root or a field of another type; `cycle` for an object that contains itself, which cannot be
    ///   passed to a Swift class; `file` if the file cannot be read.
    public func unarchive<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type, from item: ContainerPath, allowing classes: [ArchivableClass] = [],
        named names: [String: ArchivableClass] = [:], limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> Object {
        let path = try archivePath(item)
        let bytes = try archiveBytes(path, limits)
        do throws(ArchiveFault) {
            return try ArchiveBytes.read(type, from: bytes, allowing: classes, named: names, limits: limits)
        } catch { throw ArchiveError(error, path: path.string, onDisk: "The file is unchanged.") }
    }

    func archiveBytes(_ path: FilePath, _ limits: ArchiveLimits) throws(ArchiveError) -> [UInt8] {
        do throws(FileSystemError) {
            let file = try folder.open(path)
            guard try file.status().kind == .file else { throw FileSystemError("read", path, .isDirectory) }
            return try file.contents(limit: limits.bytes)
        } catch {
            guard error.errno != .fileTooLarge else {
                let fault = ArchiveFault(.tooLarge, "it has more than \(limits.bytes) bytes")
                throw ArchiveError(fault, path: path.string, onDisk: "The file is unchanged.")
            }
            throw ArchiveError(ContainerError(error, onDisk: "The file is unchanged."))
        }
    }
}
