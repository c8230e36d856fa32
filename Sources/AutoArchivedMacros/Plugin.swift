internal import SwiftCompilerPlugin
internal import SwiftSyntaxMacros

/// The macros that the compiler runs.
@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [AutoArchivedMacro.self, ArchivedMacro.self, NotArchivedMacro.self]
}
