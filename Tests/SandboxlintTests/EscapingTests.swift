import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// Names that GitHub would run as commands, spreadsheets as formulas, and terminals as escape sequences.
@Suite("Names in messages") struct EscapingTests {
    private static let name = "c\n::error::pwned\u{1b}[2J\u{202e}"

    @Test(
        "begin no line on standard error, whoever writes it",
        arguments: [
            ["lint", name], ["lint", "c", "--output", "json=\(name)/x"], ["lint", "c", "--output", "\(name)=x"],
            ["lint", "c", "--output", name], ["lint", "c", "--output", "json=\(name)", "--output", "csv=\(name)"],
            ["lint", "c", "--output", "json=c/\(name)"], ["lint", "c", "--config", name],
            ["lint", "c", "--select", name],
            ["lint", "c", "--set", "\(name)=1"], ["lint", "c", "--baseline", name], ["lint", "c", "--rules", name],
            ["lint", "c", "--format", name], ["lint", "c", "--now", name], ["lint", "c", "--\(name)"],
            ["fix", name], ["undo", name], ["explain", name], ["explain", "made\(name)", "x"], ["diff", name, "c"],
            ["baseline", "write", "c", "--baseline", "b\(name)"],
            ["baseline", "write", "c", "--baseline", "c/\(name)"],
            ["baseline", "report", "--baseline", name], ["rules", "test", name], ["rules", name], [name, name, name],
            ["config", "show", "--config", name], ["init", name],
        ])
    func errors(arguments: [String]) throws {
        try withScratch { folder throws in
            for name in ["c", "made\(Self.name)"] {
                let path = folder.appending(path: name).appending(path: "tmp")
                try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            }
            let run = try sandboxlint(arguments, in: folder)
            #expect(run.errors.contains("::error::pwned"), "\(run.errors)")
            #expect(!run.errors.contains("\n::error::pwned"), "\(run.errors)")
            #expect(!run.errors.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" })
        }
    }

    @Test("begin no line of the compact report as a command")
    func compact() throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c").path
            _ = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
            for name in ["::error::x", "##[error]x"] { try Data().write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
            let run = try sandboxlint("lint", path, "--isolated", "--format", "compact")
            #expect(run.text.contains("/c/::error::x:1: ") && run.text.contains("/c/##[error]x:1: "), "\(run.text)")
            #expect(run.text.split(separator: "\n").dropLast().allSatisfy { $0.hasPrefix("/") }, "\(run.text)")
        }
    }

    @Test(
        "are no formula of a spreadsheet, with a comma or a semicolon between its cells",
        arguments: [
            ("a;=1+1;.part", "\"tmp/a;'=1+1;.part\""), ("a; \"@b.part", "\"tmp/a; \"\"'@b.part\""),
            ("a;b.part", "\"tmp/a;b.part\""), ("a=1.part", "tmp/a=1.part"),
        ])
    func semicolons(name: String, cell: String) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c").path
            let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
            let temporary = URL(fileURLWithPath: try container.path(.temporary).string)
            try temporary.write(to: name)
            try temporary.setTimes("2020-01-01", of: name)
            let run = try sandboxlint("lint", path, "--isolated", "--select", "stale-tmp", "--format", "csv")
            #expect(run.text.contains(",\(cell),1,\(cell),"), "\(run.text)")
        }
    }

    @Test("are no formula in full-width characters", arguments: ["＝", "＋", "－", "＠"])
    func fullWidth(sign: String) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c").path
            _ = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
            try Data().write(to: URL(fileURLWithPath: "\(path)/\(sign)cmd"))
            let run = try sandboxlint("lint", path, "--isolated", "--format", "csv")
            #expect(run.text.contains(",\"'\(sign)cmd\",1,\"'\(sign)cmd\","), "\(run.text)")
        }
    }
}
