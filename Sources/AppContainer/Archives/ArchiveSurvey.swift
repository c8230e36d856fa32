internal import Foundation

/// Looks at all that an object would archive, and archives nothing.
///
/// Foundation on Linux ends the process for objects that are not NSSecureCoding, for values of Swift's own, for
/// NSDecimalNumber, NSError, classes within classes and what is nested too deep; a delegate of its archiver is asked
/// too late for some of these. Measured with Swift 6.3.1.
final class ArchiveSurvey: NSCoder {
    private let names: [String: ArchivableClass]
    private let limits: ArchiveLimits
    private var failure: ArchiveFault?
    private var keyPath: [String] = []
    private var objectsLeft: Int
    /// Objects of the app that were looked at, kept so that no other gets their address.
    private var seen: [ObjectIdentifier: NSObject] = [:]
    private var unfinished: Set<ObjectIdentifier> = []

    init(names: [String: ArchivableClass], limits: ArchiveLimits) {
        self.names = names
        self.limits = limits
        objectsLeft = limits.objects
        super.init()
    }

    /// Says what keeps an object from being archived.
    func examine(_ root: NSObject) throws(ArchiveFault) {
        look(at: root, "root")
        if let failure { throw failure }
    }

    private func look(at value: Any?, _ step: String) {
        guard failure == nil, let value else { return }
        keyPath.append(step)
        defer { keyPath.removeLast() }
        objectsLeft -= 1
        if keyPath.count > limits.depth { return fail(.tooDeep, "more than \(limits.depth) objects within each other") }
        if objectsLeft < 0 { return fail(.tooLarge, "more than \(limits.objects) objects") }
        guard let object = value as AnyObject as? NSObject else { return fail(refusal(of: type(of: value))) }
        if let known = FoundationValue(object) { members(of: object, known) } else { ask(object) }
    }

    /// Goes into Foundation's collections, which know no other coder than Foundation's own.
    private func members(of object: NSObject, _ value: FoundationValue) {
        switch object {
        case let array as NSArray: for (index, member) in array.enumerated() { look(at: member, "[\(index)]") }
        case let set as NSOrderedSet: for (index, member) in set.enumerated() { look(at: member, "[\(index)]") }
        case let set as NSSet: for member in set { look(at: member, "{}") }
        case let dictionary as NSDictionary:
            for (key, member) in dictionary {
                look(at: key, ".keys")
                look(at: member, ".values")
            }
        case let value as NSValue where !(value is NSNumber):
            let range = NSValue(range: NSRange())
            if strcmp(value.objCType, range.objCType) != 0 { fail(.notEncodable, "an NSValue that is no range") }
        case let text as NSAttributedString where text.length > 0:
            var range = NSRange()
            let attributes = text.attributes(at: 0, effectiveRange: &range)
            if range.length < text.length {
                fail(.notEncodable, "an attributed text whose attributes change within it")
            }
            for (_, attribute) in attributes { look(at: attribute, ".attributes") }
        default: break
        }
    }

    private func ask(_ object: NSObject) {
        let type = type(of: object)
        let identifier = ObjectIdentifier(object)
        guard !unfinished.contains(identifier) else {
            return fail(
                .cycle, "an object that holds itself, which could not be read again",
                hint: "Encode one direction only, and set the other in init(coder:).")
        }
        if seen[identifier] != nil { return }
        guard !String(reflecting: type).hasPrefix("Foundation."), let coding = object as? any NSObject & NSSecureCoding,
            Swift.type(of: coding).supportsSecureCoding
        else { return fail(refusal(of: type)) }
        guard ArchiveClasses.isTopLevel(type) || names.values.contains(where: { $0 == type }) else {
            return fail(
                .notEncodable, "an object of class \(type), which is private or within another",
                hint: "Name it in named:.")
        }
        seen[identifier] = object
        unfinished.insert(identifier)
        coding.encode(with: self)
        unfinished.remove(identifier)
    }

    private func refusal(of type: Any.Type) -> ArchiveFault {
        ArchiveFault(
            .notEncodable, at: place, "a value of type \(type), which cannot be archived and read again",
            hint: "Archive what it is made of: text, numbers, data, dates, collections, or a class of your own that is "
                + "NSSecureCoding.")
    }

    private var place: String { keyPath.joined() }

    private func fail(_ code: ArchiveError.Code, _ text: String, hint: String? = nil) {
        fail(ArchiveFault(code, at: place, text, hint: hint))
    }

    private func fail(_ fault: ArchiveFault) { if failure == nil { failure = fault } }

    private func refuseUnkeyed() {
        fail(
            .notEncodable, "a value encoded without a key, or a C structure, which cannot be read again",
            hint: "Encode each value for a key.")
    }

    // MARK: - What a class of the app calls

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { true }
    override var systemVersion: UInt32 { 2000 }
    override func failWithError(_ error: any Error) { fail(.notEncodable, "a class refused: \(error)") }

    override func encode(_ object: Any?, forKey key: String) { look(at: object, "." + key) }
    /// An object that is encoded only if something else holds it: only that it closes no circle is looked at.
    override func encodeConditionalObject(_ object: Any?, forKey key: String) {
        if let object = object as? NSObject, unfinished.contains(ObjectIdentifier(object)) {
            look(at: object, "." + key)
        }
    }
    override func encode(_ value: Bool, forKey key: String) {}
    override func encode(_ value: Int, forKey key: String) {}
    override func encode(_ value: Int32, forKey key: String) {}
    override func encode(_ value: Int64, forKey key: String) {}
    override func encode(_ value: Float, forKey key: String) {}
    override func encode(_ value: Double, forKey key: String) {}
    override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {}

    override func encode(_ object: Any?) { refuseUnkeyed() }
    override func encode(_ data: Data) { refuseUnkeyed() }
    override func encodePropertyList(_ list: Any) { refuseUnkeyed() }
    override func encodeBytes(_ bytes: UnsafeRawPointer?, length: Int) { refuseUnkeyed() }
    override func encodeConditionalObject(_ object: Any?) { refuseUnkeyed() }
    override func encodeRootObject(_ object: Any) { refuseUnkeyed() }
    override func encodeValue(ofObjCType type: UnsafePointer<Int8>, at address: UnsafeRawPointer) { refuseUnkeyed() }
    override func encodeArray(ofObjCType type: UnsafePointer<Int8>, count: Int, at array: UnsafeRawPointer) {
        refuseUnkeyed()
    }
}
