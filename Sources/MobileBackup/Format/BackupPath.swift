internal import PropertyLists
internal import SystemPackage

/// A valid path inside a domain.
package struct BackupPath: Sendable, Hashable {
    /// The path as in the manifest, without leading and trailing slashes; empty for the root of the domain.
    package let text: String

    /// The root of a domain.
    package static let top = BackupPath(checked: "")

    /// Creates a path from the bytes of the file system.
    ///
    /// - Throws: `nameNotText` for bytes outside UTF-8, because the layout stores text; `pathInvalid` for an absolute
    ///   path, a NUL, or a component that is empty, `.` or `..`.
    package init(bytes: some Collection<UInt8>) throws(EntryRefusal) {
        guard let text = String(utf8: bytes) else {
            throw EntryRefusal(.nameNotText, description: "a name that is not UTF-8")
        }
        guard bytes.isEmpty || Self.isSound(bytes) else {
            throw EntryRefusal(.pathInvalid, description: "a path that leads out of its domain")
        }
        self.text = text
    }

    private init(checked text: String) { self.text = text }

    /// Compares bytes: texts that Swift considers equal may be different names.
    package static func == (left: BackupPath, right: BackupPath) -> Bool { left.text.hasSameBytes(as: right.text) }
    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

    package var bytes: String.UTF8View { text.utf8 }

    /// The parent directory; nil for the root.
    var parent: BackupPath? {
        guard !text.isEmpty else { return nil }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return .top }
        return BackupPath(checked: String(text[..<slash]))
    }

    private static func isSound(_ bytes: some Collection<UInt8>) -> Bool {
        // The number of bytes of the component, and of dots at its start.
        var (count, dots) = (0, 0)
        for byte in bytes {
            switch byte {
            case 0: return false
            case UInt8(ascii: "/"):
                guard count > 0, count != dots || dots > 2 else { return false }
                (count, dots) = (0, 0)
            default:
                if byte == UInt8(ascii: "."), count == dots { dots += 1 }
                count += 1
            }
        }
        return count > 0 && (count != dots || dots > 2)
    }
}

/// The part of a device that an entry belongs to: the container of an app, a plug-in or a group, or a part of the
/// system.
package struct BackupDomain: Sendable, Hashable {
    /// The owner of a domain.
    package enum Owner: Sendable, Hashable, CaseIterable {
        case app, plugin, group, system

        fileprivate var prefix: String {
            switch self {
            case .app: "AppDomain-"
            case .plugin: "AppDomainPlugin-"
            case .group: "AppDomainGroup-"
            case .system: ""
            }
        }
    }

    /// The name as in the manifest, such as `AppDomain-com.acme.reader`.
    package let name: String

    /// Creates the domain of an app, a plug-in or a group by its identifier, or of the system by its name.
    ///
    /// - Throws: `domainInvalid` for an identifier that is empty or contains a NUL or a slash.
    package init(_ owner: Owner, identifier: String) throws(EntryRefusal) {
        guard let domain = BackupDomain(name: owner.prefix + identifier), !identifier.isEmpty else {
            throw EntryRefusal(.domainInvalid, description: "“\(identifier)” is not a valid identifier")
        }
        self = domain
    }

    /// Creates a domain by its name; nil for an invalid name.
    init?(name: String) {
        guard !name.isEmpty, !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
        self.name = name
    }

    /// Compares bytes: texts that Swift considers equal may be different domains.
    package static func == (left: BackupDomain, right: BackupDomain) -> Bool { left.name.hasSameBytes(as: right.name) }
    package func hash(into hasher: inout Hasher) { name.hashBytes(into: &hasher) }

    /// The owner of the domain.
    package var owner: Owner { Owner.allCases.first { $0 != .system && name.hasPrefix($0.prefix) } ?? .system }

    /// The identifier of the app, the plug-in or the group; nil for the system.
    package var bundleID: String? { owner == .system ? nil : String(name.dropFirst(owner.prefix.count)) }
}

/// The identifier of an entry in the manifest and on disk: the SHA-1 of its domain, a hyphen and its path, as 40
/// hexadecimal digits.
///
/// Domains may contain hyphens, so two entries may have one identifier (`AppDomain-a` with `b-c`, `AppDomain-a-b` with
/// `c`). Apple's layout cannot represent both; a writer refuses the second.
struct FileIdentifier: Sendable, Hashable {
    let text: String

    /// Creates the identifier of an entry.
    ///
    /// - Parameters: + domain: The domain. + path: The path in it. + sha1: Returns the SHA-1 of bytes.
    init(of domain: BackupDomain, _ path: BackupPath, sha1: ([UInt8]) -> [UInt8]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(domain.name.utf8.count + 1 + path.bytes.count)
        bytes.append(contentsOf: domain.name.utf8)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(contentsOf: path.bytes)
        text = Self.hexadecimal(sha1(bytes))
    }

    /// Creates an identifier; nil unless it has 40 lowercase hexadecimal digits.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 40, bytes.allSatisfy(Self.isDigit) else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The directory of the payload.
    var folder: String { String(text.prefix(2)) }

    /// The path of the payload in the backup's directory.
    var payload: FilePath { FilePath("\(folder)/\(text)") }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        func digit(_ number: UInt8) -> UInt8 {
            number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
        }
        return String(unsafeUninitializedCapacity: 2 * bytes.count) { buffer in
            var count = 0
            for byte in bytes {
                (buffer[count], buffer[count + 1]) = (digit(byte >> 4), digit(byte & 0xf))
                count += 2
            }
            return count
        }
    }
}

/// Texts as bytes: those that Swift considers equal may be different names.
extension String {
    func hasSameBytes(as other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in UnsafeRawBufferPointer(left).elementsEqual(UnsafeRawBufferPointer(right)) }
        }
    }

    func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
