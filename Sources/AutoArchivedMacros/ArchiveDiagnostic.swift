internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder

/// A message of the macros.
struct ArchiveMessage: DiagnosticMessage, FixItMessage {
    let message: String
    private let id: String
    let severity = DiagnosticSeverity.error
    var diagnosticID: MessageID { MessageID(domain: "AutoArchived", id: id) }
    var fixItID: MessageID { diagnosticID }

    /// Creates a message. Its id does not change when the text does.
    init(_ id: String, message: String) {
        self.id = id
        self.message = message
    }
}

extension FixIt {
    /// Creates a fix-it that replaces a node.
    static func replace(_ message: String, old: some SyntaxProtocol, by new: some SyntaxProtocol) -> FixIt {
        FixIt(
            message: ArchiveMessage("fix", message: message),
            changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }

    /// Creates a fix-it that marks a property with `@NotArchived`. One without a value gets a placeholder for it.
    static func notArchived(_ variable: VariableDeclSyntax) -> FixIt {
        var marked = variable
        let trivia = marked.leadingTrivia
        marked.leadingTrivia = []
        marked.attributes.insert(.attribute("@NotArchived "), at: marked.attributes.startIndex)
        marked.leadingTrivia = trivia
        return replace("mark it @NotArchived", old: variable, by: marked)
    }

    /// Creates a fix-it that replaces `let` with `var`, and adds modifiers.
    static func variable(_ variable: VariableDeclSyntax, message: String) -> FixIt {
        let keyword = variable.bindingSpecifier.with(\.tokenKind, .keyword(.var))
        return replace(message, old: variable.bindingSpecifier, by: keyword)
    }
}
