import AppContainer
import ContainerPreferences
import FaultedOperations
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Faults of the real kernel in a real process, injected by strace: a tenth of all combinations.
@Suite(
    "Faults injected into a process", .needs(.externalProgram), .enabled(if: Platform.isLinux, "runs strace"),
    .timeLimit(.minutes(60)))
struct InjectedFaultTests {
    /// A call of a process, by its number from 1.
    private struct Call: Hashable {
        let name: String
        let number: Int
    }

    private static let traced = [
        "openat", "openat2", "statx", "write", "pread64", "fsetxattr", "fgetxattr", "flistxattr", "fremovexattr",
        "fchmod", "fchown", "fsync", "renameat", "renameat2", "unlinkat", "mkdirat", "close", "flock", "utimensat",
        "getdents64", "symlinkat", "readlinkat",
    ]
    private static let errors = ["EIO", "ENOSPC", "EDQUOT", "EINTR", "EACCES", "EROFS", "EMFILE"]

    @Test(
        "A process whose call fails, or that is killed at it, leaves complete old or new files",
        arguments: FaultedOperation.all)
    func injected(operation: FaultedOperation) throws {
        try withScratch { scratch throws in
            let first = try run(operation, in: scratch.appending(path: "first"), inject: nil)
            #expect(first.said == "done" && first.before != first.after)
            let faults = Self.errors.map { "error=\($0)" } + ["signal=SIGKILL"]
            let cells = first.calls.flatMap { call in faults.map { (call, $0) } }
            let isFull = ProcessInfo.processInfo.environment["FAULTS"] == "all"
            // Steps that share no factor with the number of faults cover each of them.
            let step = isFull ? 9 : 67
            var injected = 0
            for position in stride(from: 1, to: cells.count, by: step) {
                let (call, fault) = cells[position]
                let cell = "\(operation), \(call.name) \(call.number): \(fault)"
                let folder = scratch.appending(path: "c")
                let run = try run(operation, in: folder, inject: "\(call.name):\(fault):when=\(call.number)")
                #expect(run.before == first.before)
                for (index, state) in run.after.enumerated() {
                    #expect(state == first.before[index] || state == first.after[index], "\(cell): torn")
                }
                if operation.isOne {
                    #expect(run.after == first.before || run.after == first.after, "\(cell): in part")
                }
                if run.said == "done" { #expect(run.after == first.after, "\(cell): reported done") }
                if operation.isOne, run.said.contains("othing on disk has changed") {
                    #expect(run.after == first.before, "\(cell): \(run.said)")
                }
                if fault == "signal=SIGKILL" { #expect(run.said.isEmpty) }
                try FileManager.default.removeItem(at: folder)
                injected += 1
            }
            #expect(injected > 0)
            if isFull { print("\(operation): \(first.calls.count) calls, \(cells.count) cells, \(injected) injected") }
        }
    }

    private struct Run {
        let before: [String?]
        let after: [String?]
        let said: String
        let calls: [Call]
    }

    /// Runs the operation in a process under strace, in a new container.
    private func run(_ operation: FaultedOperation, in folder: URL, inject: String?) throws -> Run {
        for name in ["Documents", "Library/Preferences"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        let container = try Container.open(FilePath(folder.path), bundleIdentifier: "com.example.app")
        try operation.prepare(container)
        let before = try operation.state(container)
        let trace = folder.path + ".trace"
        let name = inject.map { String($0.prefix { $0 != ":" }) }
        let command = try Command(
            "strace",
            ["-qq", "-f", "-o", trace, "-e", "trace=\(name ?? Self.traced.joined(separator: ","))"]
                + (inject.map { ["-e", "inject=\($0)"] } ?? [])
                + [Command.probe, "run", folder.path, operation.description])
        _ = try container.sweepLeftovers(olderThan: .zero, now: Timestamp(seconds: Timestamp.now.seconds + 10))
        let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(left.allSatisfy { !$0.contains(AtomicWrite.stagingPrefix) }, "\(operation), \(inject ?? ""): \(left)")
        return Run(
            before: before, after: try operation.state(container),
            said: command.text.trimmingCharacters(in: .newlines),
            calls: inject == nil ? try calls(in: trace, from: folder.path) : [])
    }

    /// The calls from the opening of the container on; earlier ones only count.
    private func calls(in trace: String, from path: String) throws -> [Call] {
        var counts: [String: Int] = [:]
        var calls: [Call] = []
        for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
            guard
                let name = line.drop(while: { $0.isNumber || $0 == " " }).split(separator: "(").first.map(String.init),
                Self.traced.contains(name)
            else { continue }
            counts[name, default: 0] += 1
            guard !calls.isEmpty || line.contains("\"\(path)") else { continue }
            calls.append(Call(name: name, number: counts[name] ?? 0))
        }
        return calls
    }
}
