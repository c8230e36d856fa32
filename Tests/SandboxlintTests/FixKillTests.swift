import Foundation
import TestSupport
import Testing

/// The number of points at which a fix is killed. `scripts/stress fix-kills` sets 200; the tests use a few.
@Suite("A fix that is killed", .needs([.externalProgram, .long]), .enabled(if: Platform.isLinux, "runs strace"))
struct FixKillTests {
    /// A system call of the main thread, by its name and its number among the calls with that name, from 1.
    private struct Point: Hashable, CustomStringConvertible {
        let name: String
        let number: Int
        var description: String { "\(name) \(number)" }
    }

    private static let traced = [
        "openat", "openat2", "statx", "pwrite64", "write", "fsetxattr", "fremovexattr", "fchmod", "fsync", "renameat",
        "renameat2", "unlinkat", "mkdirat", "linkat", "ioctl", "close", "flock", "utimensat", "getdents64", "futex",
    ]
    private static let count = ProcessInfo.processInfo.environment["FIX_KILLS"].flatMap { Int($0) } ?? 8

    @Test("After a kill at any point, the next undo restores the original tree, and the next fix the fixed one")
    func fix() throws {
        var kept = 0
        try kill("fix", prepare: { _ in }) { scene, fixed, point, number throws in
            let state = try FileManager.default.contentsOfDirectory(atPath: scene.scratch.path)
            if state.contains("c.sandboxlint-undo") { kept += 1 }
            if number.isMultiple(of: 2) {
                let run = try scene.run("fix")
                #expect(run.code == 0, "\(point): \(run.text)\(run.errors)")
                let differences = try TreeListing(of: scene.folder).differences(from: fixed)
                    // A directory that the fix creates has the time of the fix.
                    .filter { !$0.dropFirst(2).hasPrefix("Library/Caches/com.example.app d ") }
                #expect(differences == [], "\(point): \(differences)")
                scene.forgetAccessTimes()
            }
            let run = try scene.run("undo")
            #expect(run.code == 0, "\(point): \(run.text)\(run.errors)")
        }
        #expect(kept > 0)
    }

    @Test("An undo that is killed at any point is completed by the next one")
    func undo() throws {
        try kill("undo", prepare: { scene throws in #expect(try scene.run("fix").code == 0) }) {
            scene, _, point, _ throws in
            let run = try scene.run("undo")
            #expect(run.code == 0, "\(point): \(run.text)\(run.errors)")
        }
    }

    /// Kills the command at random points, each time with a new container, runs `mend` as a user would, and compares the
    /// container with its original state.
    private func kill(
        _ command: String, prepare: (FixScene) throws -> Void,
        mend: (FixScene, _ whole: TreeListing, Point, Int) throws -> Void
    ) throws {
        try withScratch { scratch throws in
            func scene(_ name: String) throws -> FixScene {
                let folder = scratch.appending(path: name)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let scene = try FixScene(in: folder)
                try prepare(scene)
                return scene
            }
            let first = try scene("first")
            let trace = scratch.path + "/trace"
            let whole = try first.run(
                command, by: ["strace", "-qq", "-f", "-o", trace, "-e", "trace=\(Self.traced.joined(separator: ","))"])
            #expect(whole.code == 0)
            let done = try TreeListing(of: first.folder)
            let (all, late) = try points(in: trace, from: first.folder.path)
            var random = Steps(state: 20_260_101)
            var killed = 0
            for number in 0..<Self.count {
                // Half of the points are in the part that changes the container.
                let point = (number % 4 < 2 ? late : all).randomElement(using: &random)
                let (scene, at) = (try scene("\(number)"), try #require(point))
                let run = try scene.run(
                    command,
                    by: [
                        "strace", "-qq", "-f", "-o", "/dev/null", "-e", "trace=\(at.name)", "-e",
                        "inject=\(at.name):signal=SIGKILL:when=\(at.number)",
                    ])
                if run.code != 0 { killed += 1 }
                try mend(scene, done, at, number)
                let differences = try scene.differencesFromBefore()
                #expect(differences == [], "\(command) killed at \(at): \(differences)")
                try FileManager.default.removeItem(at: scene.scratch)
            }
            #expect(killed > Self.count / 2)
            print("\(command): \(killed) of \(Self.count) killed, at \(all.count) calls, \(late.count) of them late")
        }
    }

    /// The calls from the opening of the container on, and those from the writing of the journal on.
    private func points(in trace: String, from path: String) throws -> (all: [Point], late: [Point]) {
        var counts: [String: Int] = [:]
        var (all, late): ([Point], [Point]) = ([], [])
        var process: Substring?
        for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
            guard words.count == 2, words[0] == process ?? words[0] else { continue }
            process = words[0]
            guard let name = words[1].drop(while: { $0 == " " }).split(separator: "(").first.map(String.init),
                Self.traced.contains(name)
            else {
                continue
            }
            counts[name, default: 0] += 1
            let point = Point(name: name, number: counts[name] ?? 0)
            if !all.isEmpty || line.contains("\"\(path)\"") { all.append(point) }
            if !late.isEmpty || line.contains("begun.json") { late.append(point) }
        }
        return (all, late)
    }

    /// A deterministic random number generator. Source: Steele and others, “Fast splittable pseudorandom number
    /// generators”, 2014.
    private struct Steps: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }
}
