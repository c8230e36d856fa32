import AppContainer
import BackupPlan
import Foundation
import SystemPackage
import TestSupport
import TextOutput

/// An empty container of an app or a group.
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

/// The seconds of this thread's own work that the body takes, whatever else the machine does.
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

/// A script that did not end well.
struct ScriptFailure: Error, CustomStringConvertible { let description: String }

extension Plan {
    /// A line an item: its path, its reason and who decided.
    var lines: [String] { map { "\(ByteText.escaped($0.path)) \($0.reason.rawValue) \($0.decidedBy)" } }

    /// A line a warning: its kind, its path and the other item.
    var warningLines: [String] {
        warnings.map { warning in
            let other = warning.other.map { " " + ByteText.escaped($0) } ?? ""
            return "\(warning.kind.rawValue) \(ByteText.escaped(warning.path))\(other)"
        }
    }
}
