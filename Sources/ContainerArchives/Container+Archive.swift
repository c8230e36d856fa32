public import AppContainer
internal import FileSystem
public import Foundation
internal import PropertyLists
internal import SystemPackage

extension Container {
    /// Saves an object and all objects that it refers to as a keyed archive that Apple's systems can read. Otherwise
    /// like saving bytes.
    ///
    /// The format is that of Foundation's archiver (`$archiver`, `$version`, `$top`, `$objects`). On Linux, the
    /// implementation is not: input that ends the process there is an error here. On Apple's systems, `NSKeyedArchiver`
    /// writes the archive, which is then checked. The Foundation classes that `unarchive` supports can be archived. A
    /// class of the app encodes itself, with keys.
    ///
    ///     try container.archive(shelf, to: .documents / "shelf.archive")
    ///
    /// - Parameters:
    ///   - object: The root object.
    ///   - item: The path of the file.
    ///   - names: Names for classes of the app in the archive, if they differ from `Module.Class`. Required for nested
    ///     and private classes.
    ///   - limits: The limits for the archive, so that it can be read with the same limits.
    ///   - options: The policy for an existing item, the durability, the permissions and the origin.
    ///   - fileID: The file of the caller, recorded as `recording` says.
    ///   - line: The line of the caller.
    /// - Throws: `notEncodable` for an object that is not `NSSecureCoding`, has an unsupported Foundation class
    ///   (NSError, NSDateComponents), or encodes values without keys; `cycle` and `tooDeep` for objects that could not
    ///   be read again; `tooLarge`; `file` with the errors of saving bytes. An NSMutableArray that contains itself ends
    ///   the process on Linux, as any access to it does.
    public func archive(
        _ object: some NSObject & NSSecureCoding, to item: ContainerPath, named names: [String: ArchivableClass] = [:],
        limits: ArchiveLimits = ArchiveLimits(), options: SaveOptions = SaveOptions(), fileID: String = #fileID,
        line: UInt = #line
    ) throws(ArchiveError) {
        let bytes = try archivedBytes(object, named: names, limits: limits, for: item)
        do throws(ContainerError) {
            try save(bytes, to: item, options: options, fileID: fileID, line: line)
        } catch { throw ArchiveError(error) }
    }

    func archivedBytes(
        _ object: any NSObject & NSSecureCoding, named names: [String: ArchivableClass], limits: ArchiveLimits,
        for item: ContainerPath
    ) throws(ArchiveError) -> [UInt8] {
        let path = try archivePath(item)
        do throws(ArchiveFault) { return try ArchiveBytes.write(object, named: names, limits: limits) } catch {
            throw ArchiveError(error, path: path.string, onDisk: "Nothing on disk has changed.")
        }
    }

    func archivePath(_ item: ContainerPath) throws(ArchiveError) -> FilePath {
        do throws(ContainerError) { return try relative(item) } catch { throw ArchiveError(error) }
    }
}

extension Container {
    /// Reads a keyed archive of Apple's systems or of this library. The file may be damaged or malicious.
    ///
    /// Supported Foundation objects (strings, numbers, decimal numbers, data, dates, URLs, UUIDs, locales, null,
    /// arrays, dictionaries, sets, ordered sets, index sets and paths, ranges, points, sizes, rectangles, attributed
    /// strings) are decoded by this library. A class of the app decodes itself. The class of the root and those in
    /// `allowing` are allowed everywhere, plain values (string, number, data, date, array, dictionary) always. A class
    /// of the app states the other classes of its fields with `decodeObject(of:forKey:)`. No other objects are created.
    ///
    /// On Apple's systems, `NSKeyedUnarchiver` decodes the archive with secure coding, after it was checked. There, a
    /// class of the app must not rely on the concrete class of the coder, and a field is requested with its class.
    ///
    /// Other Foundation classes (`NSError`, `NSDateComponents`), and classes of the app that inherit from one other
    /// than `NSObject`, are refused before anything is decoded, because decoding them may end the process on Linux.
    ///
    /// The result of Apple's `encodeEncodable` is a dictionary or an array of plain values and can be read as such
    /// (source: NSCoder.swift of Swift's Darwin overlay; not tested with an archive of an Apple system).
    ///
    ///     let shelf = try container.unarchive(Shelf.self, from: .documents / "shelf.archive", allowing: [Book.self])
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
        let bytes = try archiveBytes(path, limits: limits)
        do throws(ArchiveFault) {
            return try ArchiveBytes.read(type, from: bytes, allowing: classes, named: names, limits: limits)
        } catch { throw ArchiveError(error, path: path.string, onDisk: "The file is unchanged.") }
    }

    /// Reads a keyed archive in memory, such as a value of settings, of the keychain or of the pasteboard. Otherwise
    /// like reading a file.
    ///
    /// - Throws: The errors of reading a file, except for `file`.
    public static func unarchive<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type, from data: Data, allowing classes: [ArchivableClass] = [],
        named names: [String: ArchivableClass] = [:], limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> Object {
        guard data.count <= limits.bytes else {
            throw ArchiveError(
                ArchiveFault(.tooLarge, "it has more than \(limits.bytes) bytes"), path: "",
                onDisk: "Nothing was decoded.")
        }
        do throws(ArchiveFault) {
            return try ArchiveBytes.read(type, from: Array(data), allowing: classes, named: names, limits: limits)
        } catch { throw ArchiveError(error, path: "", onDisk: "Nothing was decoded.") }
    }

    /// Reads a keyed archive of a file outside of the container, such as one that the user has picked or that a watch
    /// has sent. Otherwise like reading a file of the container.
    ///
    /// - Throws: The errors of reading a file of the container.
    public static func unarchive<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type, at url: URL, allowing classes: [ArchivableClass] = [],
        named names: [String: ArchivableClass] = [:], limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> Object {
        let data: Data
        do throws(ContainerError) { data = try PickedItem(url).load() } catch { throw ArchiveError(error) }
        return try unarchive(type, from: data, allowing: classes, named: names, limits: limits)
    }

    /// Returns the keyed archive of an object in memory. Otherwise like saving one.
    ///
    /// - Throws: The errors of saving an archive, except for `file`.
    public static func archived(
        _ object: some NSObject & NSSecureCoding, named names: [String: ArchivableClass] = [:],
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> Data {
        do throws(ArchiveFault) {
            return Data(try ArchiveBytes.write(object, named: names, limits: limits))
        } catch { throw ArchiveError(error, path: "", onDisk: "Nothing was encoded.") }
    }

    func archiveBytes(_ path: FilePath, limits: ArchiveLimits) throws(ArchiveError) -> [UInt8] {
        do throws(FileSystemError) {
            let file = try folder.open(path)
            guard try file.status().kind == .file else {
                throw FileSystemError("read", path: path, errno: .isDirectory)
            }
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

/// Codable values in archives, in the format of `NSKeyedArchiver.encodeEncodable`: the value is encoded as a property
/// list, which is archived as dictionaries, arrays, strings, numbers, data and dates. Source: NSCoder.swift of Swift's
/// Darwin overlay.
extension Container {
    /// Saves a value as a keyed archive. Otherwise like archiving an object.
    ///
    /// - Throws: `notEncodable` for a value that is not encoded as a dictionary or array, or that a property list
    ///   cannot contain; `tooDeep`, `tooLarge`; `file` with the errors of saving bytes.
    public func archive(
        _ value: some Encodable, to item: ContainerPath, limits: ArchiveLimits = ArchiveLimits(),
        options: SaveOptions = SaveOptions(), fileID: String = #fileID, line: UInt = #line
    ) throws(ArchiveError) {
        let path = try archivePath(item)
        let encoded: (any NSObject & NSSecureCoding)?
        do {
            let bytes = try PropertyListEncoder().encode(value)
            let list = try PropertyListSerialization.propertyList(from: bytes, format: nil)
            encoded = list as AnyObject as? any NSObject & NSSecureCoding
        } catch {
            let fault = ArchiveFault(.notEncodable, "the value cannot be encoded: \(error)")
            throw ArchiveError(fault, path: path.string, onDisk: "Nothing on disk has changed.")
        }
        guard let encoded else {
            let fault = ArchiveFault(.notEncodable, "the encoded value cannot be archived")
            throw ArchiveError(fault, path: path.string, onDisk: "Nothing on disk has changed.")
        }
        try archive(encoded, to: item, limits: limits, options: options, fileID: fileID, line: line)
    }

    /// Reads a value that was archived here or by `encodeEncodable`. The file may be damaged or malicious.
    ///
    /// - Throws: The errors of reading an object; `wrongType` if the archive contains something other than the value.
    public func unarchive<Value: Decodable>(
        _ type: Value.Type, from item: ContainerPath, limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> Value {
        let path = try archivePath(item)
        let bytes = try archiveBytes(path, limits: limits)
        do throws(ArchiveFault) {
            let root = try ArchiveBytes.readPlain(bytes, limits: limits)
            let list = try PropertyList(archived: root)
            do {
                return try PropertyListDecoder().decode(type, from: Data(list.binary()))
            } catch { throw ArchiveFault(.wrongType, "it is not a \(type): \(error)") }
        } catch { throw ArchiveError(error, path: path.string, onDisk: "The file is unchanged.") }
    }
}

extension PropertyList {
    /// Creates the property list of archived plain values. `PropertyListSerialization` writes none in programs that are
    /// linked with `-static-stdlib` on Linux.
    ///
    /// - Throws: `wrongType` for any other object.
    fileprivate init(archived object: NSObject) throws(ArchiveFault) {
        switch object {
        case let text as NSString: self = .string(String(text))
        case let data as NSData: self = .data(Array(Data(referencing: data)))
        case let date as NSDate: self = .date(date.timeIntervalSinceReferenceDate)
        case let number as NSNumber: self = ArchivedPlain.number(number).value
        case let array as NSArray:
            var members: [PropertyList] = []
            for member in array { members.append(try Self(member: member)) }
            self = .array(members)
        case let dictionary as NSDictionary:
            var pairs: [(key: String, value: PropertyList)] = []
            for (key, value) in dictionary {
                guard let key = key as? String ?? (key as? NSString).map(String.init) else { throw Self.unfit }
                pairs.append((key, try Self(member: value)))
            }
            self = .dictionary(pairs)
        default: throw Self.unfit
        }
    }

    private init(member: Any) throws(ArchiveFault) {
        guard let object = member as AnyObject as? NSObject else { throw Self.unfit }
        try self.init(archived: object)
    }

    private static var unfit: ArchiveFault {
        ArchiveFault(.wrongType, "it contains more than strings, numbers, data, dates, arrays and dictionaries")
    }
}
