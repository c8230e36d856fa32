internal import Foundation

/// A decoding of an archive by `NSKeyedUnarchiver`, after `ArchiveCheck`.
///
/// The unarchiver requires secure coding and reports errors instead of raising exceptions. It asks for the class of each
/// object, which is looked up among the classes that are allowed at that moment, as `ArchiveReader` does.
final class FoundationDecoding: NSObject, NSKeyedUnarchiverDelegate {
    private let items: [UInt64: ArchiveCheck.Item]
    private let classes: ArchiveClasses
    private let rootNumber: UInt64
    private(set) var failure: ArchiveFault?
    private var root: NSObject?

    /// The steps of objects that run later. See `ArchiveLinks`.
    private struct Steps {
        private var numbers: [UInt64] = []
        private var bodies: [UInt64: [() -> Void]] = [:]

        mutating func add(_ number: UInt64, _ body: @escaping () -> Void) {
            if bodies[number] == nil { numbers.append(number) }
            bodies[number, default: []].append(body)
        }
        mutating func popLast() -> UInt64? { numbers.popLast() }
        mutating func removeBodies(_ number: UInt64) -> [() -> Void] { bodies.removeValue(forKey: number) ?? [] }
    }
    private var creationSteps = Steps()
    private var linkSteps = Steps()
    /// True if the steps after all links are running.
    private var isFinishing = false
    /// The object whose steps are running.
    private var stepping: UInt64?

    private init(_ items: [UInt64: ArchiveCheck.Item], classes: ArchiveClasses, root: UInt64) {
        (self.items, self.classes, rootNumber) = (items, classes, root)
    }

    /// Returns the root object of an archive.
    static func root(
        of type: AnyClass, _ archive: KeyedArchive, classes: ArchiveClasses, limits: ArchiveLimits
    ) throws(ArchiveFault) -> NSObject {
        let check = ArchiveCheck()
        let checked = try ArchiveReader(archive, classes: classes, limits: limits, appObjects: check).root(of: type)
        // Strings, numbers and data need no decoding.
        guard check.items[archive.root] != nil else { return checked }
        let bytes = try CheckedTable.bytes(of: archive, check.items, limits: limits.clamped)
        let decoding = FoundationDecoding(check.items, classes: classes, root: archive.root)
        do {
            try decoding.decode(bytes)
        } catch { throw decoding.failure ?? fault(error) }
        guard let root = decoding.root else {
            throw ArchiveFault(.damaged, at: "root", "the object could not be created from its data")
        }
        guard root.isKind(of: type) else {
            throw ArchiveFault(
                .wrongType, at: "root",
                "\(ArchiveClasses.name(of: Swift.type(of: root))) was found instead of \(ArchiveClasses.name(of: type))"
            )
        }
        return root
    }

    private func decode(_ bytes: [UInt8]) throws {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
        unarchiver.requiresSecureCoding = true
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        unarchiver.delegate = self
        unarchiver.setClass(ArchiveEnvelope.self, forClassName: CheckedTable.Name.envelope)
        unarchiver.setClass(ArchiveStep.self, forClassName: CheckedTable.Name.step)
        _ = try unarchiver.topLevelObject(of: ArchiveEnvelope.self, forKey: "root")
        unarchiver.finishDecoding()
        if let failure { throw failure }
        if let error = unarchiver.error { throw error }
    }

    /// Returns the fault for an error of Foundation or of a class of the app.
    private static func fault(_ error: any Error) -> ArchiveFault {
        let code = (error as? CocoaError)?.code
        guard code == .coderReadCorrupt || code == .coderValueNotFound else {
            return ArchiveFault(.damaged, "a class reported an error: \(error)")
        }
        return ArchiveFault(.wrongType, "an object or a field does not have the requested type: \(error)")
    }

    // MARK: - What the envelope and the steps call

    /// Returns the decoding of a coder, or nil for a coder of something else.
    static func of(_ coder: NSCoder) -> FoundationDecoding? {
        (coder as? NSKeyedUnarchiver)?.delegate as? FoundationDecoding
    }

    /// Decodes the root, and then the links of all objects.
    fileprivate func decodeEnvelope(with coder: NSCoder) {
        let object = coder.decodeObject(of: classes.allowed + FoundationValue.plain, forKey: CheckedTable.Name.root)
        root = object as? NSObject ?? object.flatMap { $0 as AnyObject as? NSObject }
        while canContinue(coder), let number = creationSteps.popLast() {
            _ = coder.decodeObject(of: [ArchiveStep.self], forKey: CheckedTable.Name.links(number))
        }
        isFinishing = true
        while canContinue(coder), let number = linkSteps.popLast() {
            _ = coder.decodeObject(of: [ArchiveStep.self], forKey: CheckedTable.Name.finish(number))
        }
    }

    /// Runs the steps of the object whose fields the coder contains.
    fileprivate func runSteps(with coder: NSCoder) {
        guard let number = number(of: coder) else { return }
        stepping = number
        defer { stepping = nil }
        let bodies = isFinishing ? linkSteps.removeBodies(number) : creationSteps.removeBodies(number)
        for body in bodies where canContinue(coder) { body() }
    }

    private func canContinue(_ coder: NSCoder) -> Bool { failure == nil && coder.error == nil }

    private func number(of coder: NSCoder) -> UInt64? {
        let number = UInt64(exactly: coder.decodeInt64(forKey: CheckedTable.Name.number))
        return number.flatMap { items[$0] == nil ? nil : $0 }
    }

    // MARK: - Links

    /// The steps and errors of the object whose fields a coder contains.
    struct Object: LinkDecoding {
        private let decoding: FoundationDecoding
        private let coder: NSCoder

        /// Returns nil for a coder of something else.
        init?(_ coder: NSCoder) {
            guard let decoding = FoundationDecoding.of(coder) else { return nil }
            (self.decoding, self.coder) = (decoding, coder)
        }

        func afterCreation(_ body: @escaping () -> Void) {
            if let number = decoding.number(of: coder) { decoding.creationSteps.add(number, body) }
        }

        func afterLinks(_ body: @escaping () -> Void) {
            if let number = decoding.number(of: coder) { decoding.linkSteps.add(number, body) }
        }

        func fail(_ code: ArchiveError.Code, field: String, text: String, hint: String?) {
            let place = decoding.number(of: coder).map { decoding.place(of: $0) + "." + field }
            decoding.fail(ArchiveFault(code, at: place, text, hint: hint))
            coder.failWithError(CocoaError(.coderReadCorrupt, userInfo: [NSLocalizedDescriptionKey: text]))
        }
    }

    private func place(of number: UInt64) -> String {
        guard number == stepping else { return items[number]?.place ?? "root" }
        return number == rootNumber ? "root" : "$objects[\(number)]"
    }

    private func fail(_ fault: ArchiveFault) { if failure == nil { failure = fault } }

    // MARK: - What Foundation calls

    func unarchiver(
        _ unarchiver: NSKeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
    ) -> AnyClass? {
        guard failure == nil else { return nil }
        if name.hasPrefix(CheckedTable.Name.value) {
            return FoundationValue(rawValue: String(name.dropFirst(CheckedTable.Name.value.count)))?.type
        }
        guard name.hasPrefix(CheckedTable.Name.object),
            let number = UInt64(name.dropFirst(CheckedTable.Name.object.count)), let item = items[number]
        else { return nil }
        let current = classes.allowing(unarchiver.currentClasses)
        let found = current.find(item.name)
        if let fault = current.refusal(of: found, name: item.name, at: item.place) { fail(fault) }
        switch found {
        case .foundation(let value): return value.type
        case .app(let type): return type
        default: return nil
        }
    }
}

/// The root object of the archives that the coders of Foundation decode and encode, around that of the app.
final class ArchiveEnvelope: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    private let encoding: FoundationEncoding?

    /// Creates an envelope to encode.
    init(_ encoding: FoundationEncoding) { self.encoding = encoding }

    init?(coder: NSCoder) {
        encoding = nil
        super.init()
        FoundationDecoding.of(coder)?.decodeEnvelope(with: coder)
    }

    func encode(with coder: NSCoder) { encoding?.encodeEnvelope(with: coder) }
}

/// An object with the fields of an object of the app, whose steps run while it is decoded.
final class ArchiveStep: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    init?(coder: NSCoder) {
        super.init()
        FoundationDecoding.of(coder)?.runSteps(with: coder)
    }

    func encode(with coder: NSCoder) {}
}
