package import Foundation

/// References between objects that are set after the objects have been created.
///
/// `init(coder:)` of a Swift class returns only complete objects, so an object that is still being created cannot be
/// passed to another one: a cycle is an error, and each reference needs stack space. A link is a reference that the class
/// sets later. Links may form cycles and chains of any length. In the file, a link is a reference like any other.
///
/// With coders of Foundation, which call the same methods of the class, a link is decoded at once.
package enum ArchiveLinks {
    static let cycleHint =
        "Encode only one direction, and set the other in init(coder:). In a class with @AutoArchived, make one of the "
        + "references an optional variable."

    /// Encodes a link to an object or to a collection of objects.
    package static func encode(_ object: NSObject?, forKey key: String, with coder: NSCoder) {
        if let writer = coder as? ArchiveWriter {
            writer.setLink(object, forKey: key)
        } else {
            coder.encode(object, forKey: key)
        }
    }

    /// Encodes a link to an object that the archive only contains if another object refers to it, otherwise nil.
    package static func encodeWeak(_ object: NSObject?, forKey key: String, with coder: NSCoder) {
        if let writer = coder as? ArchiveWriter {
            writer.setWeakLink(object, forKey: key)
        } else {
            coder.encodeConditionalObject(object, forKey: key)
        }
    }

    /// Runs the step that decodes a link and sets it: after the objects that are being created.
    package static func decode(with coder: NSCoder, _ body: @escaping () -> Void) {
        if let coder = coder as? ArchiveCoder { coder.afterCreation(body) } else { body() }
    }

    /// Runs a step after all links of all objects have been set.
    package static func finish(with coder: NSCoder, _ body: @escaping () -> Void) {
        if let coder = coder as? ArchiveCoder { coder.afterLinks(body) } else { body() }
    }

    /// Fails the archive at a field.
    package static func fail(
        _ code: ArchiveError.Code, field: String, _ text: String, hint: String? = nil, with coder: NSCoder
    ) {
        guard let coder = coder as? ArchiveCoder else {
            let text = "the field \(field): \(text). \(hint ?? "")"
            return coder.failWithError(
                CocoaError(.coderReadCorrupt, userInfo: [NSLocalizedDescriptionKey: text]))
        }
        coder.fail(code, field: field, text, hint: hint)
    }
}
