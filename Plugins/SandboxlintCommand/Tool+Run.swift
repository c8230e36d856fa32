import Foundation
import PackagePlugin

extension PluginContext.Tool {
    /// Runs it to its end. SwiftPM knows of a plugin only whether it failed, so the exit code is said in words.
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
