import AppContainer
import ContainerPreferences
import FaultedOperations
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Every call of every operation with every failure, in this process.
@Suite("Faults at every call", .needs(.long), .timeLimit(.minutes(60))) struct FaultMatrixTests {
    /// True to test every call with every failure, as in `scripts/stress faults`. Otherwise two failures of each kind.
    private static let isFull = ProcessInfo.processInfo.environment["FAULTS"] == "all"

    /// In tmpfs if it supports attributes, because thousands of saves need no disk.
    private func withFastScratch(_ body: (URL) throws -> Void) throws {
        let memory = URL(filePath: "/dev/shm/sandboxlint-\(UUID().uuidString)")
        guard Platform.isLinux,
            (try? FileManager.default.createDirectory(at: memory, withIntermediateDirectories: false)) != nil
        else {
            return try withScratch(body)
        }
        defer { try? FileManager.default.removeItem(at: memory) }
        guard (try? AttributeTool.set("user.x", to: "x", of: memory.path)) != nil else {
            return try withScratch(body)
        }
        try body(memory)
    }

    @Test(
        "After any fault a file is old or new, complete; the error says which; nothing is left open or behind",
        arguments: FaultedOperation.all)
    func matrix(operation: FaultedOperation) throws {
        try withFastScratch { scratch throws in
            // Returns the states before and after an operation, and its calls.
            let recording = FaultyKernel()
            let (old, new) = try cell(operation, recording, in: scratch.appending(path: "first")) {
                result, before, after in
                try result.get()
                return (before, after)
            }
            #expect(old != new)
            let names = recording.names
            #expect(names.count > 5)
            for (position, name) in names.enumerated() {
                for fault in Self.isFull ? Fault.all : Fault.few(at: position)
                where fault != .shortWrite || name == "write" || name == "read" {
                    try cell(operation, FaultyKernel(fault, at: position), in: scratch.appending(path: "c")) {
                        result, before, after in
                        #expect(before == old)
                        check(
                            operation, result, after, old: old, new: new, "\(fault) at call \(position), \(name)", fault
                        )
                    }
                }
            }
        }
    }

    /// Runs an operation in a new container and checks the result.
    @discardableResult
    private func cell<Value>(
        _ operation: FaultedOperation, _ kernel: FaultyKernel, in folder: URL,
        _ body: (Result<Void, any Error>, [String?], [String?]) throws -> Value
    ) throws -> Value {
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["Documents", "Library/Preferences"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        let container = try Container.open(FilePath(folder.path), bundleIdentifier: "com.example.app")
        try operation.prepare(container)
        let before = try operation.state(container)
        let open = try openFiles(beneath: folder.path)
        let result = Result {
            // Another path, because preferences objects are shared by the path of their container.
            let path = FilePath(folder.path + "/.")
            try operation.run(Container.open(path, bundleIdentifier: "com.example.app", calls: kernel.calls))
        }
        #expect(try openFiles(beneath: folder.path) == open, "\(operation), \(kernel.names.last ?? "")")

        let leftovers = try staging(folder)
        for leftover in leftovers where !kernel.isKilled {
            // A leftover must be mentioned in the error.
            guard case .failure(let error) = result else {
                Issue.record("\(operation): \(leftover) is left and no error tells")
                continue
            }
            #expect("\(error)".contains(leftover), "\(operation): \(error)")
        }
        if case .failure(let error) = result, !kernel.isKilled {
            // The caller knows the paths that it passed, and not those of temporary files.
            let text = leftovers.reduce("\(error)") { $0.replacing($1, with: "") }
            #expect(!text.contains(AtomicWrite.stagingPrefix) && !text.contains("“”"), "\(operation): \(error)")
        }
        // A process that another test starts has the lock of a leftover until it executes its program.
        let deadline = ContinuousClock.now + .seconds(10)
        repeat {
            _ = try container.sweepLeftovers(olderThan: .zero, now: Timestamp(seconds: Timestamp.now.seconds + 10))
        } while try !staging(folder).isEmpty && ContinuousClock.now < deadline
        #expect(try staging(folder).isEmpty)
        return try body(result, before, try operation.state(container))
    }

    private func staging(_ folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.split(separator: "/").last?.hasPrefix(AtomicWrite.stagingPrefix) == true }
    }

    private func check(
        _ operation: FaultedOperation, _ result: Result<Void, any Error>, _ after: [String?], old: [String?],
        new: [String?], _ cell: String, _ fault: Fault
    ) {
        for (index, state) in after.enumerated() {
            #expect(state == old[index] || state == new[index], "\(operation), \(cell): torn \(operation.files[index])")
        }
        if operation.isOne { #expect(after == old || after == new, "\(operation), \(cell): in part") }
        guard !fault.isKill else { return }
        switch result {
        case .success: #expect(after == new, "\(operation), \(cell): reported done")
        case .failure(let error as BatchError):
            for (index, file) in operation.files.enumerated() {
                let name = ContainerPath(file)
                let isNew = (error.saved + error.uncertain).contains { $0.description == name.description }
                #expect(after[index] == (isNew ? new[index] : old[index]), "\(operation), \(cell): \(error)")
            }
        case .failure(let error):
            let code = (error as? ContainerError)?.code.description ?? (error as? PreferencesError)?.code.description
            let isNew = code == "durabilityUnknown" || "\(error)".contains("The new item is in place")
            #expect(after == (isNew ? new : old), "\(operation), \(cell): \(error)")
        }
    }
}
