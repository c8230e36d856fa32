import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("The help of each command", .timeLimit(.minutes(60))) struct HelpTests {
    /// Returns the words of each command of a tool, from the dump of ArgumentParser.
    private static func commands(of tool: TestedTool) throws -> [[String]] {
        let dump = try tool.run(["--experimental-dump-help"]).output
        let whole = try JSONSerialization.jsonObject(with: dump) as? [String: Any]
        func words(_ command: [String: Any]?, _ above: [String]) -> [[String]] {
            let below = (command?["subcommands"] as? [[String: Any]] ?? []).filter {
                $0["commandName"] as? String != "help"
            }
            return [above] + below.flatMap { words($0, above + [$0["commandName"] as? String ?? ""]) }
        }
        return words(whole?["command"] as? [String: Any], [])
    }

    @Test(
        "has examples, exit codes and defaults in one form",
        arguments: TestedTool.allCases)
    func form(tool: TestedTool) throws {
        let commands = try Self.commands(of: tool)
        #expect(commands.count > 10)
        for words in commands {
            let help = try tool.run(words + ["--help"], environment: ["COLUMNS": "80"]).text
            #expect(help.contains("\nExamples:\n  \(tool.rawValue) "), "\(words): \(help)")
            #expect(help.contains("\nExit codes: 0 "), "\(words): \(help)")
            // A default is in parentheses after the sentence.
            let joined = help.replacing(/\s+/, with: " ")
            #expect(!joined.contains(/\(default: [^)]*\)\./), "\(words): \(help)")
            #expect(!joined.contains("OUTPUT OPTIONS:"), "\(words)")
        }
    }

    @Test("has its options in groups, and no example or usage that is wider than 80 columns")
    func groups() throws {
        for words in try Self.commands(of: .sandboxlint) {
            let help = try sandboxlint(words + ["--help"], environment: ["COLUMNS": "80"]).text
            let options = help.components(separatedBy: "\nOPTIONS:\n").last ?? ""
            let others = options.split(separator: "\n").filter { $0.hasPrefix("  -") }.map { $0.prefix { $0 != "," } }
            #expect(others.map { $0.split(separator: " ")[0] } == ["--version", "-h"], "\(words): \(options)")
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(words): \(help)")
            // An example that does not fit would continue at the margin.
            let examples =
                help.components(separatedBy: "\nExamples:\n").last?.components(separatedBy: "\n\n").first ?? ""
            #expect(
                examples.split(separator: "\n").allSatisfy { $0.hasPrefix("  sandboxlint ") }, "\(words): \(examples)")
        }
    }
}
