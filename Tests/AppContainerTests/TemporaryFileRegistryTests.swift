import Foundation
import TestSupport
import Testing

@Suite("Temporary files of a process that a signal ends", .needs(.process), .timeLimit(.minutes(60)))
struct TemporaryFileRegistryTests {
    @Test(
        "The incomplete file and a deep directory are removed, an equal name in another directory remains")
    func equalNames() throws {
        try withScratch { scratch throws in
            let folders = ["first", "second"].map { scratch.appending(path: $0).path }
            for folder in folders {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            }
            let run = try Command(Command.probe, ["terminate", folders[0], folders[1]])
            #expect(run.code == 7, "\(run.errors)")
            #expect(try names(in: folders[0]) == ["1"])
            #expect(try names(in: folders[1]) == [])
        }
    }
}
