import Foundation
import PackagePlugin

extension PackageManager {
    /// Builds the linter and runs it. SwiftPM reports only that a plugin failed, so an error message contains the exit code.
    ///
    /// The plugin does not depend on the target of the tool: SwiftPM would compile the tool and everything that it imports a
    /// second time, for the tools of the build.
    func runSandboxlint(_ arguments: [String]) throws {
        let build = try build(.product("sandboxlint"), parameters: BuildParameters(configuration: .inherit))
        guard build.succeeded,
            let tool = build.builtArtifacts.first(where: { $0.url.lastPathComponent == "sandboxlint" })
        else {
            print(build.logText)
            Diagnostics.error("sandboxlint cannot be built")
            return
        }
        let process = try Process.run(tool.url, arguments: arguments)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let how = process.terminationReason == .exit ? "exit code" : "signal"
            Diagnostics.error("sandboxlint ended with \(how) \(process.terminationStatus)")
            return
        }
    }
}
