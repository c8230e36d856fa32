public import Foundation
public import AppContainer

/// A keyed archive that could not be written or read.
public struct ArchiveError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. The set is closed; new codes come only with a new major version.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: Int {
            case notAnArchive = 1, damaged, disallowedClass, unknownClass, badReference, cycle, tooDeep, tooLarge
            case wrongType, notEncodable, file
        }
        private let kind: Kind
        /// The code's name.
        public var description: String { "\(kind)" }
        /// The number by which Foundation knows it. New codes get new numbers.
        var number: Int { kind.rawValue }

        /// The file is no property list, or one that no keyed archiver wrote.
        public static let notAnArchive = Code(kind: .notAnArchive)
        /// The file is cut off or its bytes were changed; or a class of the app refused what it was given.
        public static let damaged = Code(kind: .damaged)
        /// An object of a class that is known, but not allowed where it is.
        public static let disallowedClass = Code(kind: .disallowedClass)
        /// An object of a class that nobody named.
        public static let unknownClass = Code(kind: .unknownClass)
        /// A reference to an object that is not there.
        public static let badReference = Code(kind: .badReference)
        /// An object that holds itself, directly or through others.
        public static let cycle = Code(kind: .cycle)
        /// Objects within objects beyond the limit.
        public static let tooDeep = Code(kind: .tooDeep)
        /// More bytes or objects than the limits allow, also when shared ones are counted wherever they appear.
        public static let tooLarge = Code(kind: .tooLarge)
        /// A value that is not what it was asked for as, or an object that lacks a field it cannot be without.
        public static let wrongType = Code(kind: .wrongType)
        /// An object that cannot be archived.
        public static let notEncodable = Code(kind: .notEncodable)
        /// The file could not be read or saved; see `cause`.
        public static let file = Code(kind: .file)
    }

    /// What went wrong.
    public let code: Code
    /// The file, relative to the container.
    public let path: String
    /// Where in the archive, as `root.children.NS.objects[3].title`; nil where it is no place in it.
    public let keyPath: String?
    /// Why the file could not be read or saved, with code `file`.
    public let cause: ContainerError?
    /// What is wrong, what is on disk now, and what to do about it.
    public let description: String

    init(_ fault: ArchiveFault, path: String, onDisk: String) {
        code = fault.code
        self.path = path
        keyPath = fault.keyPath
        cause = nil
        let place = fault.keyPath.map { " at \($0)" } ?? ""
        description = "“\(path)”\(place): \(fault.text). \(onDisk)\(fault.hint.map { " " + $0 } ?? "")"
    }

    init(_ cause: ContainerError) {
        code = .file
        path = cause.path
        keyPath = nil
        self.cause = cause
        description = cause.description
    }
}

/// What is wrong with an archive, before it is known in which file.
package struct ArchiveFault: Error, Sendable, Hashable {
    let code: ArchiveError.Code
    let keyPath: String?
    package let text: String
    let hint: String?

    init(_ code: ArchiveError.Code, at keyPath: String? = nil, _ text: String, hint: String? = nil) {
        self.code = code
        self.keyPath = keyPath
        self.text = text
        self.hint = hint
    }

    /// A name from an archive as it may be shown: what a terminal could obey is replaced, and it is not long.
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

extension ArchiveError: LocalizedError, CustomNSError {
    /// `AppContainer.ArchiveError`.
    public static var errorDomain: String { "AppContainer.ArchiveError" }
    /// The number of the code; it stays the same in later versions.
    public var errorCode: Int { code.number }
    /// The sentence, the file and why it could not be read or saved.
    public var errorUserInfo: [String: Any] { userInfo(description, path: path, underlying: cause) }
    /// The sentence of `description`.
    public var errorDescription: String? { description }
}
