import AppContainer
import ContainerPreferences
import FaultedOperations
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Every call of every operation, failing in every way: in this process, by the seam.
@Suite("Faults at every call") struct FaultMatrixTests {
    /// Whether every call fails in every way, as `make faults` has it; if not, in two ways of each kind.
    private static let isFull = ProcessInfo.processInfo.environment["FAULTS"] == "all"

    /// In memory where that carries attributes: thousands of saves need no disk.
    private func withFastScratch(_ body: (URL) throws -> Void) throws {
        let memory = URL(filePath: "/dev/shm/sandboxlint-\(UUID().uuidString)")
        guard (try? FileManager.default.createDirectory(at: memory, withIntermediateDirectories: false)) != nil else {
            return try withScratch(body)
        }
        defer { try? FileManager.default.removeItem(at: memory) }
        guard try Command("setfattr", ["-n", "user.x", "-v", "x", memory.path]).code == 0 else {
            return try withScratch(body)
        }
        try body(memory)
    }

    /// What this process has open beneath a directory.
    private func descriptors(beneath path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .filter { $0.hasPrefix(path) }.sorted()
    }

    @Test(
        "After any fault a file is old or new, whole; the error says which; nothing is left open or lying about",
        arguments: FaultedOperation.all)
    func matrix(operation: FaultedOperation) throws {
        try withFastScratch { scratch throws in
            // How the disk looks before and after, and which calls lie between.
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

    /// Runs an operation in a container of its own and looks at what it did.
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
        let open = try descriptors(beneath: folder.path)
        let result = Result {
            // By another name: preferences are shared in a process by where their container lies.
            let path = FilePath(folder.path + "/.")
            try operation.run(Container.open(path, bundleIdentifier: "com.example.app", calls: kernel.calls))
        }
        #expect(try descriptors(beneath: folder.path) == open, "\(operation), \(kernel.names.last ?? "")")

        let leftovers = try staging(folder)
        for leftover in leftovers where !kernel.isKilled {
            // What could not be taken away is told of.
            guard case .failure(let error) = result else {
                Issue.record("\(operation): \(leftover) is left and no error tells")
                continue
            }
            #expect("\(error)".contains(leftover), "\(operation): \(error)")
        }
        _ = try container.sweepLeftovers(olderThan: .zero, now: Timestamp(seconds: Timestamp.now.seconds + 10))
        #expect(try staging(folder).isEmpty)
        return try body(result, before, try operation.state(container))
    }

    private func staging(_ folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.split(separator: "/").last?.hasPrefix(Replace.stagingPrefix) == true }
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
                let name = try? ContainerPath(file)
                let isNew = (error.landed + error.unsure).contains { $0.description == name?.description }
                #expect(after[index] == (isNew ? new[index] : old[index]), "\(operation), \(cell): \(error)")
            }
        case .failure(let error):
            let code = (error as? ContainerError)?.code.description ?? (error as? PreferencesError)?.code.description
            let isNew = code == "durabilityUnknown" || "\(error)".contains("The new one is in place")
            #expect(after == (isNew ? new : old), "\(operation), \(cell): \(error)")
        }
    }
}
