import AppContainer
import BackupPlan
import Foundation
import SystemPackage
import TestSupport
import TextOutput

/// Calls `body` with an empty container.
func withContainer<Result>(
    _ identifier: String = "com.example.app", _ body: (Container, URL) throws -> Result
) throws -> Result {
    try withScratch { folder throws in
        let place = folder.appending(path: "container")
        return try body(try Container.create(at: FilePath(place.path), bundleIdentifier: identifier), place)
    }
}

/// Runs a script in a container.
func inContainer(_ folder: URL, _ script: String) throws {
    let run = try Command("bash", ["-euc", script], in: folder)
    guard run.code == 0 else { throw ScriptFailure(description: run.errors) }
}

/// Returns the CPU time of this thread for `body`, in seconds.
func secondsOfWork(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    return now() - start
}

/// A script that failed.
struct ScriptFailure: Error, CustomStringConvertible { let description: String }

extension Plan {
    /// One line per item: path, reason and origin.
    var lines: [String] { map { "\(ByteText.escaped($0.path)) \($0.decision.reason.rawValue) \($0.decision.decider)" } }

    /// One line per warning: kind, path and related item.
    var warningLines: [String] {
        warnings.map { warning in
            let other = warning.other.map { " " + ByteText.escaped($0) } ?? ""
            return "\(warning.kind.rawValue) \(ByteText.escaped(warning.path))\(other)"
        }
    }
}
