import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

extension ExtendedAttributesTests {
    @Test(
        "A value of any size up to the limit of the file system is read completely",
        arguments: [0, 1, 255, 256, 257, 3_000])
    func lengths(count: Int) throws {
        try withFolder { folder, _ throws in
            let file = try folder.put("", "f")
            let value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            try ExtendedAttributes.write("x", value: value, to: file.descriptor, path: "f")
            #expect(try ExtendedAttributes.read("x", of: file.descriptor, path: "f") == value)
            #expect(try ExtendedAttributes.read("x", in: folder.descriptor, entry: "f", path: "f") == value)
        }
    }

    @Test("A value is replaced, and a directory can have attributes")
    func directory() throws {
        try withFolder { folder, _ throws in
            try folder.createDirectories("d")
            for value in [[1, 2, 3], [4]] as [[UInt8]] {
                try ExtendedAttributes.write("x", value: value, in: folder.descriptor, entry: "d", path: "d")
            }
            let directory = try folder.openFolder("d")
            #expect(try ExtendedAttributes.read("x", of: directory.descriptor, path: "d") == [4])
            #expect(try ExtendedAttributes.remove("x", in: folder.descriptor, entry: "d", path: "d"))
            #expect(try ExtendedAttributes.list(of: directory.descriptor, path: "d").isEmpty)
        }
    }

    @Test(
        "Attributes of the kernel's own namespaces are not listed", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs setfacl"))
    func namespaces() throws {
        try withFolder { folder, url throws in
            let file = try folder.put("", "f")
            try ExtendedAttributes.write("user.twice", value: [1], to: file.descriptor, path: "f")
            try shown("setfacl", "-m", "u:65534:r", url.path + "/f")
            #expect(try ExtendedAttributes.list(of: file.descriptor, path: "f") == ["user.twice"])
            let all = try AttributeTool.attributes(of: url.path + "/f")
            #expect(all["user.user.twice"] != nil && all["system.posix_acl_access"] != nil)
        }
    }

    @Test("A link has no attributes, and its target keeps its own")
    func linkAlone() throws {
        try withFolder { folder, _ throws in
            let file = try folder.put("", "f")
            try folder.createSymbolicLink("link", to: "f")
            try ExtendedAttributes.write("x", value: [1], to: file.descriptor, path: "f")
            let written = #expect(throws: FileSystemError.self) {
                try ExtendedAttributes.write("x", value: [2], in: folder.descriptor, entry: "link", path: "link")
            }
            #expect(written?.errno == .notPermitted && written?.path == "link")
            let removed = #expect(throws: FileSystemError.self) {
                try ExtendedAttributes.remove("x", in: folder.descriptor, entry: "link", path: "link")
            }
            #expect(removed?.errno == .notPermitted)
            #expect(try ExtendedAttributes.read("x", in: folder.descriptor, entry: "link", path: "link") == nil)
            #expect(try ExtendedAttributes.read("x", of: file.descriptor, path: "f") == [1])
        }
    }

    /// The calls of a system that stores values of any size, such as resource forks on Darwin. The sizes are those of
    /// consecutive reads; the last one remains.
    private func calls(sizes: [Int]) -> Syscalls {
        let rest = LockedValue(sizes)
        var calls = Syscalls.live
        calls.readAttribute = { _, _, _, buffer, count in
            let size = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            guard let buffer, count > 0 else { return size }
            guard size <= count else { return -Int(Errno.outOfRange.rawValue) }
            buffer.initializeMemory(as: UInt8.self, repeating: 7, count: size)
            return size
        }
        return calls
    }

    @Test("A resource fork of a mebibyte is read completely, also if it grows during the read")
    func resourceFork() throws {
        for sizes in [[1 << 20], [300, 400, 1 << 20]] {
            let value = try ExtendedAttributes.read(
                "com.apple.ResourceFork", of: -1, path: "f", calls: calls(sizes: sizes))
            #expect(value == [UInt8](repeating: 7, count: 1 << 20))
        }
    }

    @Test("A value beyond the budget, or one that grows without end, is an error")
    func beyondBudget() throws {
        let large = #expect(throws: FileSystemError.self) {
            let calls = calls(sizes: [ExtendedAttributes.maximumValueSize + 1])
            _ = try ExtendedAttributes.read("x", of: -1, path: "f", calls: calls)
        }
        #expect(large?.errno == .fileTooLarge && large?.path == "f")
        let growing = #expect(throws: FileSystemError.self) {
            let calls = calls(sizes: (1...40).map { $0 * 300 })
            _ = try ExtendedAttributes.read("x", of: -1, path: "f", calls: calls)
        }
        #expect(growing?.errno == .outOfRange)
    }

    @Test("A value for which the disk has no room is an error, and the old value remains")
    func noRoom() throws {
        try withFolder { folder, _ throws in
            let file = try folder.put("", "f")
            try ExtendedAttributes.write("x", value: [1], to: file.descriptor, path: "f")
            let error = #expect(throws: FileSystemError.self) {
                let value = [UInt8](repeating: 0, count: 65_537)
                try ExtendedAttributes.write("x", value: value, in: folder.descriptor, entry: "f", path: "f")
            }
            #expect(error?.errno == .argListTooLong)
            #expect(try ExtendedAttributes.read("x", of: file.descriptor, path: "f") == [1])
        }
    }

    @Test("An entry that does not exist is an error, not a missing attribute")
    func missingEntry() throws {
        try withFolder { folder, _ throws in
            for call in [
                { _ = try ExtendedAttributes.list(in: folder.descriptor, entry: "none", path: "none") },
                { _ = try ExtendedAttributes.read("x", in: folder.descriptor, entry: "none", path: "none") },
                { try ExtendedAttributes.write("x", value: [], in: folder.descriptor, entry: "none", path: "none") },
                { try ExtendedAttributes.remove("x", in: folder.descriptor, entry: "none", path: "none") },
            ] as [() throws -> Void] {
                let error = #expect(throws: FileSystemError.self) { try call() }
                #expect(error?.errno == .noSuchFileOrDirectory)
            }
        }
    }
}
