internal import Foundation
public import AppContainer
package import SystemPackage

/// An error of reading or writing a keyed archive.
public struct ArchiveError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. The set is closed; new codes require a new major version.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: Int {
            case notAnArchive = 1, damaged, disallowedClass, unknownClass, badReference, cycle, tooDeep, tooLarge
            case wrongType, notEncodable, file
        }
        private let kind: Kind
        /// The name of the code.
        public var description: String { "\(kind)" }
        /// The code of the `NSError`. New codes get new numbers.
        var number: Int { kind.rawValue }

        /// The file is not a property list or was not written by a keyed archiver.
        public static let notAnArchive = Code(kind: .notAnArchive)
        /// The file is truncated or corrupt, or a class of the app rejected its data.
        public static let damaged = Code(kind: .damaged)
        /// An object has a known class that is not allowed at its position.
        public static let disallowedClass = Code(kind: .disallowedClass)
        /// An object has an unknown class.
        public static let unknownClass = Code(kind: .unknownClass)
        /// A reference to a missing object.
        public static let badReference = Code(kind: .badReference)
        /// An object contains itself, directly or indirectly.
        public static let cycle = Code(kind: .cycle)
        /// Objects are nested more deeply than the limit.
        public static let tooDeep = Code(kind: .tooDeep)
        /// The archive has more bytes or objects than the limits. Shared objects may count for each reference.
        public static let tooLarge = Code(kind: .tooLarge)
        /// A value does not have the expected type, or an object lacks a required field.
        public static let wrongType = Code(kind: .wrongType)
        /// An object cannot be archived.
        public static let notEncodable = Code(kind: .notEncodable)
        /// The file could not be read or saved. See `cause`.
        public static let file = Code(kind: .file)
    }

    /// The kind of the error.
    public let code: Code
    /// The path of the file, relative to the container.
    public let path: String
    /// The position in the archive, such as `root.children.NS.objects[3].title`. Nil if the error has no position.
    public let keyPath: String?
    /// The error of reading or saving the file, with code `file`.
    public let cause: ContainerError?
    /// One or two sentences that describe the failure, the state on disk and a solution.
    public let description: String

    init(_ fault: ArchiveFault, path: String, onDisk: String) {
        code = fault.code
        self.path = path
        keyPath = fault.keyPath
        cause = nil
        let item = fault.keyPath.map { " at \($0)" } ?? ""
        description = "“\(path)”\(item): \(fault.text). \(onDisk)\(fault.hint.map { " " + $0 } ?? "")"
    }

    init(_ cause: ContainerError) {
        code = .file
        path = cause.path
        keyPath = nil
        self.cause = cause
        description = cause.description
    }
}

/// A problem with an archive whose file is not known yet.
package struct ArchiveFault: Error, Sendable, Hashable {
    package let code: ArchiveError.Code
    package let keyPath: String?
    package let text: String
    let hint: String?

    init(_ code: ArchiveError.Code, at keyPath: String? = nil, _ text: String, hint: String? = nil) {
        self.code = code
        self.keyPath = keyPath
        self.text = text
        self.hint = hint
    }

    /// Returns a name from an archive in a form that is safe to display: truncated, without control characters.
    package static func shown(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars.prefix(64) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        if name.unicodeScalars.dropFirst(64).first != nil { text += "…" }
        return text
    }
}

extension ArchiveError: CancellableError {
    package init(cancelledAt path: FilePath) { self.init(ContainerError(cancelledAt: path)) }
}

extension ArchiveError: _StorageError, StatedError {
    package var number: Int { code.number }
    package var item: String? { path }
    package var underlying: (any Error)? { cause }
}
