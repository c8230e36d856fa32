internal import SwiftDiagnostics
internal import SwiftParser
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// The implementation of `@AutoArchived`.
struct AutoArchivedMacro {}

extension AutoArchivedMacro: ExtensionMacro {
    /// Returns the conformance, unless a superclass has it.
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let declaration = declaration.as(ClassDeclSyntax.self), declaration.genericParameterClause == nil,
            declaration.inheritanceClause != nil, !protocols.isEmpty
        else { return [] }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): AutoArchivable {}")]
    }
}

extension AutoArchivedMacro: MemberMacro {
    /// Returns the two methods and the properties of the class, or reports why it cannot be archived.
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let type = archivedClass(declaration, node: node, in: context) else { return [] }
        let properties = ArchivedProperties(of: type.memberBlock.members, in: context)
        guard let options = options(of: node, in: context), properties.isValid,
            checkMethods(of: type, options, in: context)
        else { return [] }
        let writer = CodingWriter(type, properties: properties.all, options: options, isSubclass: protocols.isEmpty)
        return [writer.secureCoding, writer.archiveName, writer.fields, writer.encoder, writer.decoder].compactMap(
            \.self)
    }

    private static func archivedClass(
        _ declaration: some DeclGroupSyntax, node: AttributeSyntax, in context: some MacroExpansionContext
    ) -> ClassDeclSyntax? {
        guard let type = declaration.as(ClassDeclSyntax.self) else {
            var fixIts: [FixIt] = []
            if let structure = declaration.as(StructDeclSyntax.self) {
                let keyword = structure.structKeyword.with(\.tokenKind, .identifier("final class"))
                fixIts = [.replace("replace “struct” with “final class”", old: structure.structKeyword, by: keyword)]
            }
            context.report(
                node, id: "notAClass",
                text: "@AutoArchived applies to classes, because an archive stores objects with identity",
                fixIts: fixIts)
            return nil
        }
        if let generics = type.genericParameterClause {
            context.report(
                generics, id: "generic",
                text: "a generic class cannot be archived, because its name depends on its arguments")
            return nil
        }
        guard type.inheritanceClause != nil else {
            var named = type
            named.name.trailingTrivia = []
            named.inheritanceClause = InheritanceClauseSyntax(
                colon: .colonToken(trailingTrivia: .space),
                inheritedTypes: [InheritedTypeSyntax(type: TypeSyntax("NSObject"), trailingTrivia: .space)])
            context.report(
                type.name, id: "noSuperclass", text: "an archived class inherits from NSObject",
                fixIts: [.replace("add “: NSObject”", old: type, by: named)])
            return nil
        }
        return type
    }

    private static func options(
        of node: AttributeSyntax, in context: some MacroExpansionContext
    ) -> CodingWriter.Options? {
        var options = CodingWriter.Options()
        guard case .argumentList(let arguments)? = node.arguments else { return options }
        for argument in arguments {
            if argument.label?.text == "name", !argument.expression.is(NilLiteralExprSyntax.self) {
                guard let text = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue,
                    !text.isEmpty
                else {
                    context.report(
                        argument.expression, id: "notALiteral", text: "a name is a string literal without interpolation"
                    )
                    return nil
                }
                options.name = text
            }
            if argument.label?.text == "version" {
                let digits = argument.expression.as(IntegerLiteralExprSyntax.self)?.literal.text.filter { $0 != "_" }
                guard let version = digits.flatMap({ Int($0) }) else {
                    context.report(
                        argument.expression, id: "notAVersion", text: "a version is a whole number from 0, as a literal"
                    )
                    return nil
                }
                options.version = version
            }
        }
        return options
    }

    /// Checks the methods that the class declares itself.
    private static func checkMethods(
        of type: ClassDeclSyntax, _ options: CodingWriter.Options, in context: some MacroExpansionContext
    ) -> Bool {
        var isValid = true
        for member in type.memberBlock.members {
            let own: Syntax? =
                if let method = member.decl.as(FunctionDeclSyntax.self), method.selector == "encode(with:)" {
                    Syntax(method.name)
                } else if let initializer = member.decl.as(InitializerDeclSyntax.self), initializer.labels == "coder:" {
                    Syntax(initializer.initKeyword)
                } else { nil }
            if let own {
                isValid = false
                context.report(
                    own, id: "ownMethod",
                    text:
                        "@AutoArchived writes this method; remove it, and archive other values in encodeExtra(with:) and "
                        + "decodeExtra(with:)")
            }
        }
        if let migration = type.method("migrate(from:with:)"), options.version == 0 {
            isValid = false
            context.report(
                migration.name, id: "noVersion",
                text: "the migration is never called; state the version: @AutoArchived(version: 1)")
        }
        return isValid
    }
}

extension ClassDeclSyntax {
    /// Returns the method with a name such as `migrate(from:with:)` that the class itself declares.
    func method(_ selector: String) -> FunctionDeclSyntax? {
        memberBlock.members.lazy.compactMap { $0.decl.as(FunctionDeclSyntax.self) }.first { $0.selector == selector }
    }
}

extension FunctionDeclSyntax {
    /// The name with its labels: `encode(with:)`.
    var selector: String { "\(name.text)(\(signature.parameterClause.labels))" }
    /// True for a method that replaces one of the superclass, which calls it.
    var isOverride: Bool { modifiers.contains { $0.name.tokenKind == .keyword(.override) } }
}

extension InitializerDeclSyntax {
    /// The labels: `coder:`.
    var labels: String { signature.parameterClause.labels }
}

extension FunctionParameterClauseSyntax {
    fileprivate var labels: String { parameters.map { "\($0.firstName.text):" }.joined() }
}
