package import Foundation

/// References between objects that are set after the objects have been created.
///
/// `init(coder:)` of a Swift class returns only complete objects, so an object that is still being created cannot be
/// passed to another one: a cycle is an error, and each reference needs stack space. A link is a reference that the class
/// sets later. Links may form cycles and chains of any length. In the file, a link is a reference like any other.
///
/// With a coder of Foundation that the app created, which calls the same methods of the class, a link is decoded at once.
package enum ArchiveLinks {
    static let cycleHint =
        "Encode only one direction, and set the other in init(coder:). In a class with @AutoArchived, make one of the "
        + "references an optional variable."

    /// Encodes a link to an object or to a collection of objects.
    package static func encode(_ object: NSObject?, forKey key: String, with coder: NSCoder) {
        if let encoding = encoding(coder) {
            encoding.setLink(object, forKey: key, with: coder)
        } else {
            coder.encode(object, forKey: key)
        }
    }

    /// Encodes a link to an object that the archive only contains if another object refers to it, otherwise nil.
    package static func encodeWeak(_ object: NSObject?, forKey key: String, with coder: NSCoder) {
        if let encoding = encoding(coder) {
            encoding.setWeakLink(object, forKey: key, with: coder)
        } else {
            coder.encodeConditionalObject(object, forKey: key)
        }
    }

    /// Runs the step that decodes a link and sets it: after the objects that are being created.
    package static func decode(with coder: NSCoder, _ body: @escaping () -> Void) {
        if let decoding = decoding(coder) { decoding.afterCreation(body) } else { body() }
    }

    /// Runs a step after all links of all objects have been set.
    package static func finish(with coder: NSCoder, _ body: @escaping () -> Void) {
        if let decoding = decoding(coder) { decoding.afterLinks(body) } else { body() }
    }

    /// Fails the archive at a field.
    package static func fail(
        _ code: ArchiveError.Code, field: String, text: String, hint: String? = nil, with coder: NSCoder
    ) {
        guard let decoding = decoding(coder) else {
            let text = "the field \(field): \(text). \(hint ?? "")"
            return coder.failWithError(
                CocoaError(.coderReadCorrupt, userInfo: [NSLocalizedDescriptionKey: text]))
        }
        decoding.fail(code, field: field, text: text, hint: hint)
    }

    private static func encoding(_ coder: NSCoder) -> (any LinkEncoding)? {
        coder as? any LinkEncoding ?? FoundationEncoding.of(coder)
    }

    private static func decoding(_ coder: NSCoder) -> (any LinkDecoding)? {
        coder as? any LinkDecoding ?? FoundationDecoding.Object(coder)
    }
}

/// An encoding of an archive that writes links later.
protocol LinkEncoding {
    func setLink(_ object: NSObject?, forKey key: String, with coder: NSCoder)
    func setWeakLink(_ object: NSObject?, forKey key: String, with coder: NSCoder)
}

/// A decoding of an object of an archive that reads links later.
protocol LinkDecoding {
    func afterCreation(_ body: @escaping () -> Void)
    func afterLinks(_ body: @escaping () -> Void)
    func fail(_ code: ArchiveError.Code, field: String, text: String, hint: String?)
}
