import AppContainer
import BackupPlan
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing
import TextOutput

@Suite struct PlanOrderTests {
    /// Names whose order differs as text, as whole paths, or by their first bytes.
    private static let builder = """
        python3 - <<'E'
        import os, random, sys
        random.seed(7)
        names = [b"a", b"a.b", b"a b", b"a-", b"a!", b"aaaaaaaa", b"aaaaaaaab", b"aaaaaaaa\\x01", b"B", b"\\n",
                 "é".encode(), "e\\u0301".encode(), b"0", b"00000000", b"000000000", b"~", b" ", b"z" * 255]
        # APFS refuses names that are not UTF-8.
        if sys.platform == "linux": names.append(b"\\xff")
        places = [b"Documents"]
        for _ in range(400):
            place = random.choice(places) + b"/" + random.choice(names)
            if os.path.lexists(place): continue
            if random.random() < 0.5:
                os.mkdir(place)
                places.append(place)
            else:
                open(place, "wb").write(b"x" * random.randrange(9))
        E
        """

    @Test(
        "Items are in the order of path components and their bytes, for any number of threads", .needs(.externalProgram)
    )
    func sorted() throws {
        try withContainer { container, folder throws in
            try inContainer(folder, Self.builder)
            let plan = try Plan(of: container, threads: 1)
            let paths = plan.map { $0.path.split(separator: UInt8(ascii: "/")).map(Array.init) }
            #expect(paths.count > 200)
            #expect(
                zip(paths, paths.dropFirst()).allSatisfy { left, right in
                    left.lexicographicallyPrecedes(right) { $0.lexicographicallyPrecedes($1) }
                })
            let listed = try itemPaths(beneath: folder).filter { $0.starts(with: "Documents".utf8) }
            #expect(Set(listed) == Set(plan.map(\.path).filter { $0.starts(with: "Documents".utf8) }))
            for threads in [2, 8] { #expect(try Plan(of: container, threads: threads).lines == plan.lines) }
        }
    }

    @Test("Every item is found by its path, and excluded content by its excluded directory", .needs(.externalProgram))
    func lookup() throws {
        try withContainer { container, folder throws in
            try inContainer(folder, Self.builder)
            try container.save("x", to: .caches / "a/b")
            let plan = try Plan(of: container)
            #expect(plan.allSatisfy { plan.entry(at: $0.path)?.status.identity.inode == $0.status.identity.inode })
            #expect(plan.entry(at: Array("Documents/nothing".utf8)) == nil)
            #expect(plan.entry(at: Array("Library/Caches/com.example.app/a/b".utf8)) == nil)
            let covering = plan.entry(covering: Array("Library/Caches/com.example.app/a/b".utf8))
            #expect(covering.map { ByteText.escaped($0.path) } == "Library/Caches")
            #expect(plan.entry(covering: Array("Documents/nothing".utf8)) == nil)
        }
    }

    @Test("The order holds for a tree of 300 levels and for 20,000 files in one directory", .needs(.externalProgram))
    func extremes() throws {
        try withContainer { container, folder throws in
            try inContainer(
                folder,
                """
                python3 - <<'E'
                import os
                for number in range(20_000): open(f"Documents/{number:x}", "w").close()
                os.chdir("Library")
                for _ in range(300):
                    os.mkdir("d" * 40)
                    os.chdir("d" * 40)
                open("last", "w").write("x")
                E
                """)
            let plan = try Plan(of: container)
            #expect(plan.isComplete)
            let deepest = try #require(plan.max { $0.path.count < $1.path.count })
            #expect(deepest.path.count == "Library".utf8.count + 300 * 41 + "/last".utf8.count && deepest.bytes == 1)
            #expect(plan.entry(at: deepest.path)?.status.size == 1)
            #expect(plan.count { $0.path.starts(with: "Documents/".utf8) } == 20_000)
            // The path is too deep for rm.
            try inContainer(folder, "rm -r Library")
        }
    }

    @Test("A container that is deleted during planning gives incidents or a plan, and no crash")
    func deleted() throws {
        try withContainer { container, folder throws in
            for directory in 1...150 {
                for number in 1...20 { try folder.write(to: "Documents/\(directory)/\(number)") }
            }
            let whole = try Plan(of: container).count
            let finished = LockedValue(false)
            let thread = Thread {
                try? FileManager.default.removeItem(at: folder)
                finished.withLock { $0 = true }
            }
            thread.start()
            var sizes: [Int] = []
            while !finished.withLock({ $0 }) {
                let plan = try Plan(of: container)
                sizes.append(plan.count)
                #expect(plan.incidents.allSatisfy { $0.reason == "vanished" })
                #expect(plan.allSatisfy { plan.entry(at: $0.path) != nil })
            }
            #expect(sizes.allSatisfy { $0 <= whole })
            #expect(try Plan(of: container).count <= 1)
        }
    }

    @Test("Changes in excluded directories do not make a plan incomplete")
    func churn() throws {
        try withContainer { container, folder throws in
            for number in 1...40 { try folder.makeDirectories("Library/Caches/\(number)", "Documents/\(number)") }
            let stopped = LockedValue(false)
            let thread = Thread {
                var round = 0
                while !stopped.withLock({ $0 }) {
                    round += 1
                    let place = folder.appending(path: "Library/Caches/\(round % 40)x")
                    try? FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
                    try? FileManager.default.removeItem(at: place)
                }
            }
            thread.start()
            defer { stopped.withLock { $0 = true } }
            for _ in 0..<300 {
                let plan = try Plan(of: container)
                #expect(plan.isComplete, "\(plan.incidents)")
            }
        }
    }
}
