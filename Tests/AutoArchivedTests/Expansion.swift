import AutoArchivedExpansion
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

private struct AutoArchivedMacro: ArchivedClassExpansion {}
private struct MarkerMacro: MarkerExpansion {}

/// A source with macros, and the code and the errors that it expands to.
struct Expansion {
    /// An expected error, with the fix-its in their order.
    struct Report {
        let text: String
        let line: Int
        let column: Int
        var fixIts: [String] = []
    }

    let source: String
    /// False for a class whose superclass has `@AutoArchived`.
    var addsConformance = true

    private var specs: [String: MacroSpec] {
        [
            "AutoArchived": MacroSpec(
                type: AutoArchivedMacro.self, conformances: addsConformance ? ["AutoArchivable"] : []),
            "Archived": MacroSpec(type: MarkerMacro.self), "NotArchived": MacroSpec(type: MarkerMacro.self),
        ]
    }

    /// Expects that the source expands to `expanded` with the errors, and that the fix-its produce `fixed`.
    func expect(
        _ expanded: String, errors: [Report] = [], applying fixIts: [String]? = nil, fixed: String? = nil,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
        assertMacroExpansion(
            source, expandedSource: expanded,
            diagnostics: errors.map { report in
                DiagnosticSpec(
                    message: report.text, line: report.line, column: report.column,
                    fixIts: report.fixIts.map { FixItSpec(message: $0) })
            },
            macroSpecs: specs, applyFixIts: fixIts, fixedSource: fixed,
            failureHandler: { failure in
                Issue.record(Comment(rawValue: failure.message), sourceLocation: sourceLocation)
            })
    }
}
