internal import SwiftSyntax
internal import SwiftSyntaxBuilder

/// A writer of the members of an archived class.
struct CodingWriter {
    /// The arguments of `@AutoArchived`.
    struct Options {
        var name: String?
        var version = 0
    }

    private let type: ClassDeclSyntax
    private let properties: [ArchivedProperty]
    private let options: Options
    private let isSubclass: Bool
    /// `public ` or nothing.
    private let access: String

    init(_ type: ClassDeclSyntax, properties: [ArchivedProperty], options: Options, isSubclass: Bool) {
        self.type = type
        self.properties = properties
        self.options = options
        self.isSubclass = isSubclass
        let levels = type.modifiers.map(\.name.tokenKind)
        access =
            if levels.contains(.keyword(.public)) || levels.contains(.keyword(.open)) {
                "public "
            } else if levels.contains(.keyword(.package)) { "package " } else { "" }
    }

    private var override: String { isSubclass ? "override " : "" }
    /// The name of the class in the key of its version.
    private var name: String { options.name ?? type.name.text }

    /// `supportsSecureCoding`, which Apple's decoder requires of each class with an `init(coder:)`.
    var secureCoding: DeclSyntax { "\(raw: access)\(raw: override)class var supportsSecureCoding: Bool { true }" }

    /// `archiveName`, in each class, so that a subclass does not inherit the name.
    var archiveName: DeclSyntax {
        "\(raw: access)\(raw: override)class var archiveName: String? { \(raw: options.name.map(quoted) ?? "nil") }"
    }

    /// `_archivedFields`, for a check of an archive before it is decoded. Plain values need none. Nil if those of the
    /// superclass are all.
    var fields: DeclSyntax? {
        let calls = properties.filter { !$0.isPlain }.map { property in
            "_AutoArchiving.field(\(arguments(property)), isLink: \(property.isLink))"
        }
        if isSubclass && calls.isEmpty { return nil }
        let list = calls.isEmpty ? "[]" : "[\n        \(calls.joined(separator: ",\n        ")),\n    ]"
        return """
            \(raw: access)\(raw: override)class var _archivedFields: [_AutoArchiving.Field] {
                \(raw: isSubclass ? "super._archivedFields + " : "")\(raw: list)
            }
            """
    }

    /// `encode(with:)`.
    var encoder: DeclSyntax {
        var lines: [String] = isSubclass ? ["super.encode(with: coder)"] : []
        if options.version > 0 {
            lines.append("_AutoArchiving.encodeVersion(\(options.version), of: \(quoted(name)), with: coder)")
        }
        lines += properties.map { property in
            let call = property.isWeak ? "encodeWeak" : property.isLink ? "encodeLink" : "encode"
            return "_AutoArchiving.\(call)(self.\(property.code), \(quoted(property.key)), with: coder)"
        }
        if callsHook("encodeExtra(with:)") { lines.append("self.encodeExtra(with: coder)") }
        return """
            \(raw: access)\(raw: override)func encode(with coder: NSCoder) {
            \(raw: lines.map { "    \($0)" }.joined(separator: "\n"))
            }
            """
    }

    /// `init(coder:)`.
    var decoder: DeclSyntax {
        var lines: [String] = []
        if options.version > 0 {
            let call = "_AutoArchiving.decodeVersion(of: \(quoted(name)), known: \(options.version), with: coder)"
            let variable = migrates ? "let archiveVersion =" : "_ ="
            lines.append(
                migrates
                    ? "guard \(variable) \(call) else { return nil }" : "guard \(call) != nil else { return nil }")
        }
        lines += properties.filter { !$0.isLink }.map(decode)
        lines.append(isSubclass ? "super.init(coder: coder)" : "super.init()")
        lines += properties.filter(\.isLink).map(decodeLink)
        if callsHook("decodeExtra(with:)") { lines.append("self.decodeExtra(with: coder)") }
        if migrates {
            lines.append(
                "_AutoArchiving.migrate(from: archiveVersion, to: \(options.version), with: coder) "
                    + "{ self.migrate(from: archiveVersion, with: coder) }")
        }
        return """
            \(raw: access)required init?(coder: NSCoder) {
            \(raw: lines.map { "    \($0)" }.joined(separator: "\n"))
            }
            """
    }

    private var migrates: Bool { callsHook("migrate(from:with:)") }

    /// An override is called by the method of the superclass.
    private func callsHook(_ selector: String) -> Bool {
        guard let method = type.method(selector) else { return false }
        return !method.isOverride
    }

    private func decode(_ property: ArchivedProperty) -> String {
        let arguments = arguments(property)
        if property.hasDefault {
            return "if let value = _AutoArchiving.decode(\(arguments), with: coder) { self.\(property.code) = value }"
        }
        if property.isOptional {
            return "self.\(property.code) = _AutoArchiving.decode(\(arguments), with: coder) ?? nil"
        }
        return "guard let \(property.code) = _AutoArchiving.require(\(arguments), with: coder) else { return nil }\n"
            + "    self.\(property.code) = \(property.code)"
    }

    private func decodeLink(_ property: ArchivedProperty) -> String {
        "_AutoArchiving.decodeLink(\(arguments(property)), of: self, with: coder) { $0.\(property.code) = $1 }"
    }

    private func arguments(_ property: ArchivedProperty) -> String {
        let type = property.type.is(OptionalTypeSyntax.self) ? "(\(property.type)).self" : "\(property.type).self"
        let former = property.formerKeys.map(quoted).joined(separator: ", ")
        return "\(type), \(quoted(property.key))" + (former.isEmpty ? "" : ", formerly: [\(former)]")
    }

    private func quoted(_ text: String) -> String { StringLiteralExprSyntax(content: text).description }
}
