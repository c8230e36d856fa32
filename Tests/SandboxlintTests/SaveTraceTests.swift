import Foundation
import TestSupport
import Testing

@Suite("The system calls of a save", .needs(.externalProgram), .enabled(if: Platform.isLinux, "runs strace"))
struct SaveTraceTests {
    @Test("A save at .full writes, copies attributes, syncs, renames and syncs the directory, in that order")
    func order() throws {
        try withScratch { folder throws in
            let container = folder.appending(path: "c").path
            let trace = folder.appending(path: "trace").path
            let calls = "trace=write,fsetxattr,fsync,renameat,fchmod,openat,openat2"
            #expect(
                try Command("strace", ["-f", "-y", "-o", trace, "-e", calls, Command.probe, "once", container]).code
                    == 0)
            let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").map(String.init)
            // The last temporary file of the run belongs to the second save.
            let last = try #require(lines.lastIndex { $0.contains("openat") && $0.contains(".appcontainer-staging-") })
            let steps = lines[last...].compactMap { line -> String? in
                if line.contains("write("), line.contains("staging-") { return "write" }
                if line.contains("fsetxattr("), line.contains("staging-") { return "attribute" }
                if line.contains("fchmod("), line.contains("staging-") { return "mode" }
                if line.contains("fsync("), line.contains("staging-") { return "sync" }
                if line.contains("renameat("), line.contains("staging-") { return "rename" }
                if line.contains("fsync("), line.contains("/Documents>") { return "sync directory" }
                return nil
            }
            // One call per attribute: the exclusion and, in a debug build, the line of source code.
            let phases = steps.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
            #expect(phases == ["write", "attribute", "mode", "sync", "rename", "sync directory"])
        }
    }
}
