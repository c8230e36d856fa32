internal import FileSystem
internal import SystemPackage

/// The data protection of a file: when it can be read while the device is locked.
///
/// Apple's systems encrypt the file accordingly. Other systems record the class as an extended attribute and do not
/// protect the file. Source: Apple, *Encrypting Your App's Files*; sys/fcntl.h, F_SETPROTECTIONCLASS.
///
/// No class protects a secret from a backup or another user of the device. Passwords, tokens and keys belong in the
/// keychain.
public enum FileProtection: Sendable, Hashable, CaseIterable {
    /// Class A: readable only while the device is unlocked.
    case complete
    /// Class B: as `complete`, but an open file stays readable and new files can be written while the device is locked.
    case completeUnlessOpen
    /// Class C: readable after the first unlock since the device started. The default of the system.
    case completeUntilFirstUserAuthentication
    /// Class D: always readable.
    case always

    /// The attribute that records the class by its number. The linter reads it.
    package static let attribute = "appcontainer.protection-class"

    /// The number of the class in the system's interface and in device backups.
    package var systemClass: Int32 {
        switch self {
        case .complete: 1
        case .completeUnlessOpen: 2
        case .completeUntilFirstUserAuthentication: 3
        case .always: 4
        }
    }

    /// The change that records the class.
    var change: AttributeChange {
        AttributeChange(Self.attribute, value: Array("\(systemClass)".utf8), isOptional: true)
    }

    package init?(systemClass: Int32) {
        guard let found = Self.allCases.first(where: { $0.systemClass == systemClass }) else { return nil }
        self = found
    }
}

extension Container {
    /// Sets the data protection of a file or directory. Later saves of the file keep it. On Apple's systems, new files
    /// in the directory inherit it.
    ///
    ///     try container.setProtection(.complete, of: .documents / "diary.txt")
    ///
    /// - Parameters:
    ///   - protection: The data protection.
    ///   - item: The file or directory.
    ///   - recursively: True to set it for everything in a directory, too.
    /// - Throws: `notFound`, `notAFile` for a link or a special file, `leavesContainer`, `noIdentifier`,
    ///   `permissionDenied`, `noAttributes`, `durabilityUnknown`, `failed`.
    public func setProtection(
        _ protection: FileProtection, of item: ContainerPath, recursively: Bool = false
    ) throws(ContainerError) {
        try forEachItem(try relative(item), recursively: recursively) { file throws(FileSystemError) in
            try file.setProtectionClass(protection.systemClass)
            try file.setAttribute(FileProtection.attribute, value: Array("\(protection.systemClass)".utf8))
        }
    }

    /// Returns the data protection of a file or directory: that of the system, or else the recorded one. Nil if there
    /// is neither.
    ///
    /// - Throws: `notFound`, `notAFile` for a link, `leavesContainer`, `noIdentifier`, `permissionDenied`,
    ///   `noAttributes`, `failed`.
    public func protection(of item: ContainerPath) throws(ContainerError) -> FileProtection? {
        let path = try relative(item)
        do throws(FileSystemError) {
            let file = try folder.open(path.isEmpty ? "." : path, followingLinks: false)
            if let known = file.protectionClass.flatMap({ FileProtection(systemClass: $0) }) { return known }
            guard let value = try file.attribute(FileProtection.attribute) else { return nil }
            return Int32(String(decoding: value, as: UTF8.self)).flatMap { FileProtection(systemClass: $0) }
        } catch { throw ContainerError(reading: error) }
    }
}
