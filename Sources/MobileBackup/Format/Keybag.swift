internal import TextOutput

/// The keybag of an encrypted backup: the numbers that derive a key from the password, and the wrapped keys of the
/// protection classes.
///
/// The bytes are a list of items: a tag of four letters, a length of four bytes, and the value. Numbers are big-endian
/// and have four bytes. The items before the second `UUID` describe the keybag; each further `UUID` begins a class.
/// The layout is that of the third-party readers iphone_backup_decrypt 0.10.0, pyiosbackup 0.2.4 and dissect.target
/// 3.25.1. Every number is checked before it is used.
package struct Keybag: Sendable, Hashable {
    /// The reason why bytes are not a keybag, or one that is refused.
    package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        package let description: String
        /// True for the keybag of a backup that was made before iOS 10.2.
        package let isTooOld: Bool

        init(_ description: String, isTooOld: Bool = false) {
            (self.description, self.isTooOld) = (description, isTooOld)
        }
    }

    /// A round of PBKDF2.
    package struct Derivation: Sendable, Hashable {
        package let salt: [UInt8]
        package let iterations: Int
    }

    /// The wrapped key of a protection class.
    package struct ClassKey: Sendable, Hashable {
        /// The number of the class: 1 to 4 for files, 5 to 11 for keychain items.
        package let number: UInt32
        /// True if the key is wrapped with the key from the password. Other keys need the device.
        package let needsPassword: Bool
        /// The 40 bytes of a key of 32 bytes, wrapped as in RFC 3394; nil if the keybag has none.
        package let wrapped: [UInt8]?
    }

    /// The first round, with SHA-256 (`DPSL` and `DPIC`).
    package let first: Derivation
    /// The second round, with SHA-1 (`SALT` and `ITER`).
    package let second: Derivation
    /// The classes in the order of the keybag.
    package let classes: [ClassKey]

    /// The maximum size of a keybag. Known ones have about 1,300 bytes.
    private static let maximumSize = 64 << 10
    /// The maximum number of classes. Devices have 11.
    private static let maximumClasses = 64
    /// The maximum numbers of iterations. Devices use 10,000,000 and 10,000; iphone_backup_decrypt has these limits.
    private static let mostIterations = (first: 20_000_000, second: 1_000_000)
    /// The size of a wrapped key of 32 bytes.
    static let wrappedSize = 40

    /// Reads a keybag.
    package init(parsing bytes: [UInt8]) throws(Fault) {
        guard bytes.count <= Self.maximumSize else { throw Fault("it has \(Quantity.count(bytes.count, "byte"))") }
        var header: [String: ArraySlice<UInt8>] = [:]
        var classes: [[String: ArraySlice<UInt8>]] = []
        var rest = bytes[...]
        while let item = try Self.nextItem(of: &rest) {
            if item.tag == "UUID", header["UUID"] != nil {
                guard classes.count < Self.maximumClasses else { throw Fault("it has too many classes") }
                classes.append(["UUID": item.value])
            } else if let last = classes.indices.last {
                guard classes[last].updateValue(item.value, forKey: item.tag) == nil else {
                    throw Fault("a class has two items \(item.tag)")
                }
            } else if header.updateValue(item.value, forKey: item.tag) != nil {
                throw Fault("it has two items \(item.tag)")
            }
        }
        if let type = try Self.number("TYPE", in: header, of: "it"), type != 1 {
            throw Fault("it has type \(type), and those of backups have type 1")
        }
        second = try Self.derivation("SALT", iterations: "ITER", in: header, atMost: Self.mostIterations.second)
        guard header["DPSL"] != nil || header["DPIC"] != nil else {
            throw Fault("it has no item DPSL, which backups have since iOS 10.2", isTooOld: true)
        }
        first = try Self.derivation("DPSL", iterations: "DPIC", in: header, atMost: Self.mostIterations.first)
        var keys: [ClassKey] = []
        for fields in classes {
            let key = try Self.classKey(fields)
            guard !keys.contains(where: { $0.number == key.number }) else {
                throw Fault("it has two keys of class \(key.number)")
            }
            keys.append(key)
        }
        guard keys.contains(where: { $0.needsPassword && $0.wrapped != nil }) else {
            throw Fault("it has no key that the password opens")
        }
        self.classes = keys
    }

    private static func nextItem(
        of rest: inout ArraySlice<UInt8>
    ) throws(Fault) -> (tag: String, value: ArraySlice<UInt8>)? {
        guard !rest.isEmpty else { return nil }
        guard rest.count >= 8 else { throw Fault("it is truncated") }
        let name = rest.prefix(4)
        guard name.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
            throw Fault("an item has an invalid tag")
        }
        let tag = String(decoding: name, as: UTF8.self)
        let length = Int(bigEndian(rest.dropFirst(4).prefix(4)))
        rest = rest.dropFirst(8)
        guard length <= rest.count else { throw Fault("it is truncated in the item \(tag)") }
        defer { rest = rest.dropFirst(length) }
        return (tag, rest.prefix(length))
    }

    private static func classKey(_ fields: [String: ArraySlice<UInt8>]) throws(Fault) -> ClassKey {
        guard let number = try number("CLAS", in: fields, of: "a class") else { throw Fault("a class has no number") }
        guard let wrap = try Self.number("WRAP", in: fields, of: "class \(number)") else {
            throw Fault("class \(number) has no item WRAP")
        }
        let wrapped = fields["WPKY"].map(Array.init)
        guard wrapped.map({ $0.count == wrappedSize }) ?? true else {
            throw Fault(
                "the key of class \(number) has \(Quantity.count(wrapped?.count ?? 0, "byte")) instead of \(wrappedSize)"
            )
        }
        return ClassKey(number: number, needsPassword: wrap & 2 != 0, wrapped: wrapped)
    }

    private static func derivation(
        _ salt: String, iterations: String, in header: [String: ArraySlice<UInt8>], atMost most: Int
    ) throws(Fault) -> Derivation {
        guard let bytes = header[salt] else { throw Fault("it has no item \(salt)") }
        guard (8...64).contains(bytes.count) else {
            throw Fault("its item \(salt) has \(Quantity.count(bytes.count, "byte"))")
        }
        guard let count = try number(iterations, in: header, of: "it") else {
            throw Fault("it has no item \(iterations)")
        }
        guard (1...most).contains(Int(count)) else {
            throw Fault("its item \(iterations) asks for \(count) iterations, and the limit is \(most)")
        }
        return Derivation(salt: Array(bytes), iterations: Int(count))
    }

    private static func number(
        _ tag: String, in fields: [String: ArraySlice<UInt8>], of owner: String
    ) throws(Fault) -> UInt32? {
        guard let bytes = fields[tag] else { return nil }
        guard bytes.count == 4 else {
            throw Fault("the item \(tag) of \(owner) has \(Quantity.count(bytes.count, "byte")) instead of 4")
        }
        return bigEndian(bytes)
    }

    private static func bigEndian(_ bytes: some Sequence<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}

/// The key of a file, or of the manifest: the number of its class and 40 wrapped bytes.
package struct WrappedKey: Sendable, Hashable {
    package let classNumber: UInt32
    let wrapped: [UInt8]

    /// Creates a key from the 44 bytes of a record or of `ManifestKey`; nil for another size. The number of the class
    /// is little-endian.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 + Keybag.wrappedSize else { return nil }
        classNumber = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        wrapped = Array(bytes.dropFirst(4))
    }
}
