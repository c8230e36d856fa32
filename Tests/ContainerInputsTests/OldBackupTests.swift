import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("A device backup from before iOS 10.2") struct OldBackupTests {
    @Test("is refused with that reason and exit code 3 by every command that reads a backup")
    func refused() throws {
        try withScratch { folder throws in
            let device = folder.appending(path: "aabbccddeeff00112233445566778899aabbccdd")
            try FileManager.default.createDirectory(at: device, withIntermediateDirectories: true)
            try Data("mbdb\u{5}\0".utf8).write(to: device.appending(path: "Manifest.mbdb"))
            let path = device.path
            let runs: [(TestedTool, [String])] = [
                (.sandboxlint, ["lint", path]), (.sandboxlint, ["inputs", path]), (.sandboxbackup, ["plan", path]),
                (.sandboxbackup, ["create", path, "--repository", "r"]), (.sandboxbackup, ["import", path, "--list"]),
                (.sandboxbackup, ["import", path, "--repository", "r"]), (.sandboxfm, ["ls", path]),
            ]
            for (tool, arguments) in runs {
                let run = try tool.run(arguments, in: folder)
                #expect(run.code == 3, "\(tool) \(arguments): \(run.code) \(run.errors)")
                #expect(run.errors.contains("before iOS 10.2"), "\(tool) \(arguments): \(run.errors)")
            }
        }
    }
}
