import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// Renders the report as GitHub does, with cmark-gfm.
@Suite("The Markdown report", .needs(.externalProgram)) struct MarkdownTests {
    @Test(
        "shows hostile names as they are, without elements, links, mentions and references of their own",
        arguments: [
            "</code></td></table></details><script>alert(1)<!--", "<img src=x onerror=alert(1)>", "www.evil.example",
            "https:evil.example", "a@example.com", "@someone", "#1 GH-2", "[a](b)", "![a](b)", "| - | - |", "`x`",
            "**b**",
            "$x$", "&lt;&#60;", "- [ ] x", "\u{202e}gpj.a", "-->", "~~~", "]]>", ":tada:",
        ])
    func hostile(name: String) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c").path
            let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
            let temporary = URL(fileURLWithPath: try container.path(.temporary).string)
            let (file, long) = (name.replacing("/", with: ":"), String(repeating: "w", count: 251) + ".www")
            try temporary.write("x", to: file)
            try temporary.write(to: long)
            try temporary.setTimes("2020-01-01", of: file, long)
            let run = try sandboxlint(
                "lint", path, "--isolated", "--select", "stale-tmp,tmp-budget", "--format", "markdown")
            let report = try ReadReport("markdown", run.output)
            #expect(report.command.code == 0, "\(report.command.errors)\n\(run.text)")
            #expect(report.rows.count >= 1)
            #expect(run.text.contains("\n<details>\n<summary>") && run.text.utf8.count < 65_536)
        }
    }

    @Test("has severity, size and help of each rule, and items in collapsed sections")
    func content() throws {
        try withSample { path throws in
            let run = try sandboxlint("lint", path, "--select", "1,25", "--now", "2026-01-01", "--format", "markdown")
            let html = try withScratch { folder throws in
                try run.output.write(to: folder.appending(path: "report.md"))
                let script =
                    "import cmarkgfm, sys; print(cmarkgfm.github_flavored_markdown_to_html(open(sys.argv[1]).read(), "
                    + "cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE))"
                return try Command(
                    Command.python(), ["-c", script, folder.appending(path: "report.md").path]
                ).text
            }
            for cell in [
                "<td>error</td>", "<th align=\"right\">size</th>", "<td align=\"right\">2 bytes</td>",
                // Without an address of the project, there is no link to the rule's page.
                "<td>re-downloadable data in Documents is included in every backup<br><code>Documents/",
                "<br><code>regenerable-in-documents</code></td>",
                "help: move it to Library/Caches; ", "<br>fix (safe): exclude it from backup",
            ] { #expect(html.contains(cell), "\(cell): \(html)") }
            let sections = html.components(separatedBy: "<details>").dropFirst()
            #expect(
                sections.count == 2 && sections.allSatisfy { $0.contains("</summary>") && $0.contains("</details>") })
            // The overview is not in a section.
            #expect(html.components(separatedBy: "<details>")[0].contains("<td>warning</td>"))
        }
    }
}
