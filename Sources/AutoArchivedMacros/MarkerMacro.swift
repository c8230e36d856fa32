internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// The implementation of `@Archived` and `@NotArchived`, which `AutoArchivedMacro` reads. They produce no code.
protocol MarkerMacro: PeerMacro {}

struct ArchivedMacro: MarkerMacro {}
struct NotArchivedMacro: MarkerMacro {}

extension MarkerMacro {
    /// Checks that the attribute is on a stored property.
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        reportUnlessStored(declaration, node: node, in: context)
        return []
    }
}

private func reportUnlessStored(
    _ declaration: some DeclSyntaxProtocol, node: AttributeSyntax, in context: some MacroExpansionContext
) {
    let name = node.attributeName.trimmedDescription
    guard let variable = declaration.as(VariableDeclSyntax.self) else {
        context.report(node, id: "notAProperty", text: "@\(name) applies to stored properties")
        return
    }
    guard variable.isStatic || variable.bindings.allSatisfy(\.isComputed) else { return }
    let kind = variable.isStatic ? "a static property" : "a computed property"
    var rest = variable
    let trivia = variable.leadingTrivia
    rest.attributes = rest.attributes.filter { $0.id != node.id && $0.trimmedDescription != node.trimmedDescription }
    rest.leadingTrivia = trivia
    context.report(
        node, id: "notStored", text: "\(kind) is never archived",
        fixIts: [.replace("remove @\(name)", old: variable, by: rest)])
}

extension MacroExpansionContext {
    /// Reports an error of the developer at a node.
    func report(_ node: some SyntaxProtocol, id: String, text: String, fixIts: [FixIt] = []) {
        diagnose(Diagnostic(node: node, message: ArchiveMessage(id, message: text), fixIts: fixIts))
    }
}

extension VariableDeclSyntax {
    /// True for a property of the type itself.
    var isStatic: Bool {
        modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
    }

    /// Returns the attribute with a name.
    func attribute(_ name: String) -> AttributeSyntax? {
        for case .attribute(let attribute) in attributes
        where attribute.attributeName.trimmedDescription.split(separator: ".").last.map(String.init) == name {
            return attribute
        }
        return nil
    }

    /// Returns true if the declaration has a modifier: `lazy`, `weak`, `unowned`.
    func has(_ keyword: Keyword) -> Bool { modifiers.contains { $0.name.tokenKind == .keyword(keyword) } }
}

extension PatternBindingSyntax {
    /// True for a property with a getter. One with observers is stored.
    var isComputed: Bool {
        guard let accessors = accessorBlock?.accessors else { return false }
        switch accessors {
        case .getter: return true
        case .accessors(let list):
            return !list.allSatisfy {
                [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
            }
        }
    }
}
