import Foundation
import PackagePlugin

extension PluginContext.Tool {
    /// Runs the tool. SwiftPM reports only that a plugin failed, so an error message contains the exit code.
    func run(_ arguments: [String]) throws {
        let process = try Process.run(url, arguments: arguments)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let how = process.terminationReason == .exit ? "exit code" : "signal"
            Diagnostics.error("sandboxlint ended with \(how) \(process.terminationStatus)")
            return
        }
    }
}
