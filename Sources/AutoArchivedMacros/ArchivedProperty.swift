internal import SwiftDiagnostics
internal import SwiftParser
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// A stored property that is archived.
struct ArchivedProperty {
    /// The name, without backquotes.
    let name: String
    /// The name as code.
    let code: String
    let type: TypeSyntax
    let key: String
    let formerKeys: [String]
    let isVariable: Bool
    let isWeak: Bool
    let isOptional: Bool
    /// True if the property has a value before it is decoded.
    let hasDefault: Bool
    /// The attribute that states the keys, or the name.
    let keyNode: Syntax

    /// True for a type that contains no references to objects, judged by its name.
    var isPlain: Bool { Self.isPlain(type) }

    /// True for a reference that is decoded after the object. See `ArchiveLinks`.
    var isLink: Bool { isWeak || (isVariable && hasDefault && !isPlain) }

    private static let plain: Set<String> = [
        "Bool", "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        "Double", "Float", "Data", "Date", "URL", "UUID", "Decimal", "IndexSet",
    ]

    private static func isPlain(_ type: TypeSyntax) -> Bool {
        if let optional = type.as(OptionalTypeSyntax.self) { return isPlain(optional.wrappedType) }
        if let array = type.as(ArrayTypeSyntax.self) { return isPlain(array.element) }
        if let dictionary = type.as(DictionaryTypeSyntax.self) {
            return isPlain(dictionary.key) && isPlain(dictionary.value)
        }
        return plain.contains(type.trimmedDescription)
    }
}

/// The stored properties of a class, and the errors in them.
struct ArchivedProperties {
    private(set) var all: [ArchivedProperty] = []
    private(set) var isValid = true
    private let context: any MacroExpansionContext

    init(of members: MemberBlockItemListSyntax, in context: any MacroExpansionContext) {
        self.context = context
        for member in members {
            if let condition = member.decl.as(IfConfigDeclSyntax.self) {
                checkCondition(condition)
            } else if let variable = member.decl.as(VariableDeclSyntax.self), !variable.isStatic {
                add(variable)
            }
        }
        checkKeys()
    }

    private mutating func report(_ node: some SyntaxProtocol, _ id: String, _ text: String, _ fixIts: [FixIt] = []) {
        isValid = false
        context.report(node, id: id, text: text, fixIts: fixIts)
    }

    /// A macro does not know which branch is compiled.
    private mutating func checkCondition(_ condition: IfConfigDeclSyntax) {
        for clause in condition.clauses {
            guard case .decls(let members)? = clause.elements else { continue }
            for member in members {
                guard let variable = member.decl.as(VariableDeclSyntax.self), !variable.isStatic,
                    variable.attribute("NotArchived") == nil, !variable.bindings.allSatisfy(\.isComputed)
                else { continue }
                report(
                    variable, "conditional", "a stored property inside #if cannot be archived; move it out of #if",
                    [.notArchived(variable)])
            }
        }
    }

    private mutating func add(_ variable: VariableDeclSyntax) {
        let bindings = Array(variable.bindings)
        for (index, binding) in bindings.enumerated() where !binding.isComputed {
            guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
                report(
                    binding.pattern, "tuple",
                    "a tuple of properties cannot be archived; declare each property by itself")
                continue
            }
            // `var a, b: Int`
            let annotation =
                binding.typeAnnotation?.type
                ?? (binding.initializer == nil
                    ? bindings[index...].lazy.compactMap { $0.typeAnnotation?.type }.first : nil)
            add(variable, binding: binding, identifier: pattern.identifier, annotation: annotation)
        }
    }

    private mutating func add(
        _ variable: VariableDeclSyntax, binding: PatternBindingSyntax, identifier: TokenSyntax,
        annotation: TypeSyntax?
    ) {
        let name = identifier.identifier?.name ?? identifier.text
        let isVariable = variable.bindingSpecifier.tokenKind == .keyword(.var)
        let isOptional = annotation.map(Self.isOptional) ?? false
        let hasDefault = binding.initializer != nil || (isVariable && isOptional)
        if let attribute = variable.attribute("NotArchived") {
            if let archived = variable.attribute("Archived") {
                report(archived, "contradiction", "“\(name)” is marked with both @Archived and @NotArchived")
            }
            guard !hasDefault, !variable.has(.lazy) else { return }
            let value = InitializerClauseSyntax(
                leadingTrivia: .space, equal: .equalToken(trailingTrivia: .space),
                value: EditorPlaceholderExprSyntax(placeholder: .identifier("<#initial value#>")))
            return report(
                attribute, "noInitialValue",
                "“\(name)” is not archived and needs an initial value, which objects that are read from an archive have",
                [.replace("add an initial value", old: binding, by: binding.with(\.initializer, value))])
        }
        if variable.has(.lazy) {
            return report(
                variable, "lazy", "a lazy property cannot be archived, because reading it would compute its value",
                [.notArchived(variable)])
        }
        if let unowned = variable.modifiers.first(where: { $0.name.tokenKind == .keyword(.unowned) }) {
            return report(
                unowned, "unowned",
                "an unowned property cannot be archived, because its object may be missing in the archive; "
                    + "declare a weak variable of an optional type", [.notArchived(variable)])
        }
        if !isVariable, binding.initializer != nil {
            return report(
                variable.bindingSpecifier, "constant",
                "a constant with an initial value cannot be read from an archive",
                [.variable(variable, message: "replace “let” with “var”"), .notArchived(variable)])
        }
        let value = binding.initializer?.value
        guard let type = annotation ?? Self.literalType(value) ?? Self.plainlyConstructedType(value) else {
            return reportMissingType(binding, identifier: identifier, name: name)
        }
        if let reason = Self.refusal(of: type) {
            return report(type, "type", "\(reason) cannot be archived", [.notArchived(variable)])
        }
        let keys = keys(of: variable, name)
        all.append(
            ArchivedProperty(
                name: name, code: identifier.trimmedDescription, type: type.trimmed, key: keys?.key ?? name,
                formerKeys: keys?.former ?? [], isVariable: isVariable, isWeak: variable.has(.weak),
                isOptional: isOptional, hasDefault: hasDefault,
                keyNode: Syntax(variable.attribute("Archived")) ?? Syntax(identifier)))
    }

    private mutating func reportMissingType(
        _ binding: PatternBindingSyntax, identifier: TokenSyntax, name: String
    ) {
        var fixIts: [FixIt] = []
        if let type = Self.constructedType(binding.initializer?.value) {
            var typed = binding
            typed.pattern.trailingTrivia = []
            typed.typeAnnotation = TypeAnnotationSyntax(
                colon: .colonToken(trailingTrivia: .space), type: type, trailingTrivia: .space)
            fixIts = [.replace("add “: \(type)”", old: binding, by: typed)]
        }
        report(
            identifier, "noType", "“\(name)” needs a type, which a macro cannot infer from the initial value", fixIts)
    }

    /// Returns the keys that `@Archived` states.
    private mutating func keys(of variable: VariableDeclSyntax, _ name: String) -> (key: String, former: [String])? {
        guard let attribute = variable.attribute("Archived") else { return nil }
        guard variable.bindings.count == 1 else {
            report(attribute, "severalProperties", "@Archived applies to one property; declare each property by itself")
            return nil
        }
        guard case .argumentList(let arguments)? = attribute.arguments else { return nil }
        var (key, former) = (name, [String]())
        var isFormer = false
        for argument in arguments {
            if argument.label?.text == "formerly" { isFormer = true }
            guard let text = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
                if !isFormer, argument.expression.is(NilLiteralExprSyntax.self) { continue }
                report(argument.expression, "notALiteral", "a key is a string literal without interpolation")
                continue
            }
            if isFormer { former.append(text) } else { key = text }
        }
        return (key, former)
    }

    private mutating func checkKeys() {
        var owners: [String: String] = [:]
        for property in all {
            for key in [property.key] + property.formerKeys {
                if let owner = owners.updateValue(property.name, forKey: key), owner != property.name {
                    report(
                        property.keyNode, "duplicateKey",
                        "“\(property.name)” and “\(owner)” have the same key, “\(key)”")
                }
            }
        }
    }

    // MARK: - Types

    private static func isOptional(_ type: TypeSyntax) -> Bool {
        type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
            || type.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
    }

    /// Returns the kind of a type that cannot be archived, or nil.
    private static func refusal(of type: TypeSyntax) -> String? {
        if let optional = type.as(OptionalTypeSyntax.self) { return refusal(of: optional.wrappedType) }
        if let array = type.as(ArrayTypeSyntax.self) { return refusal(of: array.element) }
        if let dictionary = type.as(DictionaryTypeSyntax.self) {
            return refusal(of: dictionary.key) ?? refusal(of: dictionary.value)
        }
        if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1, let element = tuple.elements.first {
            return refusal(of: element.type)
        }
        if let attributed = type.as(AttributedTypeSyntax.self) { return refusal(of: attributed.baseType) }
        if type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return "an implicitly unwrapped optional" }
        if type.is(FunctionTypeSyntax.self) { return "a function" }
        if type.is(TupleTypeSyntax.self) { return "a tuple" }
        if type.is(SomeOrAnyTypeSyntax.self) || type.is(CompositionTypeSyntax.self) { return "a value of any type" }
        if type.is(MetatypeTypeSyntax.self) { return "a type" }
        if ["Any", "AnyObject", "AnyHashable", "AnyClass"].contains(type.trimmedDescription) {
            return "a value of any type"
        }
        return nil
    }

    /// Returns the type of a literal.
    private static func literalType(_ value: ExprSyntax?) -> TypeSyntax? {
        guard let value else { return nil }
        if value.is(StringLiteralExprSyntax.self) { return "String" }
        if value.is(IntegerLiteralExprSyntax.self) { return "Int" }
        if value.is(FloatLiteralExprSyntax.self) { return "Double" }
        if value.is(BooleanLiteralExprSyntax.self) { return "Bool" }
        if let negative = value.as(PrefixOperatorExprSyntax.self), negative.operator.text == "-" {
            return literalType(negative.expression)
        }
        return nil
    }

    /// Returns the type of an initial value without arguments, such as `UUID()` or `[Student]()`. With arguments, the
    /// initializer may return an optional value.
    private static func plainlyConstructedType(_ value: ExprSyntax?) -> TypeSyntax? {
        guard let call = value?.as(FunctionCallExprSyntax.self), call.arguments.isEmpty, call.trailingClosure == nil
        else {
            return nil
        }
        return constructedType(value)
    }

    /// Returns the type in an initial value such as `Group(1)`, for a fix-it.
    private static func constructedType(_ value: ExprSyntax?) -> TypeSyntax? {
        guard let called = value?.as(FunctionCallExprSyntax.self)?.calledExpression.trimmed else { return nil }
        if let name = called.as(DeclReferenceExprSyntax.self), name.baseName.text.first?.isUppercase == true {
            return "\(raw: name.baseName.text)"
        }
        guard
            called.is(ArrayExprSyntax.self) || called.is(DictionaryExprSyntax.self)
                || called.is(GenericSpecializationExprSyntax.self)
        else { return nil }
        return "\(raw: called.description)"
    }
}
