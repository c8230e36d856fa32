import Foundation
import TestSupport
import ToolSupport

/// Containers for pages, and the pages of the tools about them.
enum PageContainers {
    private static let provenance = "user.appcontainer.provenance"
    private static let exclusion = "user.com.apple.metadata:com_apple_backup_excludeItem"

    /// Creates `container` with content of every class, and `before` with less of it.
    static func make(in folder: URL) throws {
        let container = folder.appending(path: "container")
        let support = "Library/Application Support/com.example.app"
        try container.makeDirectories("Library/Preferences")
        for i in 1...40 { try container.makeSparse("Documents/Covers/\(i).jpg", size: Int64(i) * 9_000) }
        for i in 1...12 { try container.makeSparse("Documents/Books/Volume \(i).epub", size: Int64(i) * 400_000) }
        for i in 1...15 { try container.makeSparse("\(support)/Search/\(i).idx", size: Int64(i) * 30_000) }
        for i in 1...4 { try container.makeSparse("\(support)/Models/\(i).bin", size: Int64(i) * 700_000) }
        for i in 1...120 { try container.makeSparse("Library/Caches/com.example.app/\(i)", size: Int64(i) * 1_500) }
        try container.makeSparse("Library/SplashBoard/1.ktx", size: 300_000)
        for i in 0...5 { try container.makeSparse("tmp/upload-\(i).part", size: Int64(i) * 90_000 + 50_000) }
        try container.appending(path: "tmp").setAllTimes("2025-01-01T00:00:00Z") { !$1 }
        for number in 1...40 {
            try AttributeTool.set(provenance, to: "downloaded", of: "Documents/Covers/\(number).jpg", in: container)
        }
        for number in 1...15 {
            try AttributeTool.set(provenance, to: "derived", of: "\(support)/Search/\(number).idx", in: container)
        }
        try AttributeTool.set(exclusion, to: "x", of: "\(support)/Models", in: container)
        try folder.copyAll("container", to: "before")
        for number in [3] + Array(30...39) { try folder.remove("before/Documents/Covers/\(number).jpg") }
        try folder.write(to: "before/tmp/old.part")
        try folder.setTimes("2025-02-01", of: "before/tmp/old.part")
    }

    /// Creates `hostile`: names with markup, code, marks of direction and invalid bytes, as long as possible.
    static func makeHostile(in folder: URL) throws {
        try Command.setUp(
            "bash",
            [
                "-c",
                #"""
                set -eu
                mkdir -p hostile/{Documents/names,Library,tmp}
                cd hostile
                names=($'<img src=x onerror="planted=1">' $'"><svg onload=planted=1>' "'; planted=1; '" '${planted=1}' '`planted=1`'
                    $'\u202egnp.exe' $'\u2066x\u2067' $'\u05e9\u05dc\u05d5\u05dd.txt' $'a\e[31m\x01\n' '&lt;b&gt;'
                    $'a\u2028b\u2029' '--><!--' ']]>' "$(printf 'x%.0s' {1..255})" '{{planted=1}}')
                [ "$(uname -s)" = Darwin ] || names+=($'\xff\xfe')
                size=5000
                for name in "${names[@]}"; do
                    size=$((size + 700))
                    mkdir -p "Documents/names/$name"
                    for path in "tmp/$name" "Documents/$name" "Documents/names/$name/$name" "tmp/</script><script>planted=1</$name"; do
                        mkdir -p "$(dirname "$path")"
                        dd if=/dev/null of="$path" bs=1 seek=$size 2>/dev/null
                        touch -d 2025-01-01T00:00:00Z "$path"
                    done
                done
                cd tmp
                for level in {1..17}; do
                    name=$(printf 'd%.0s' {1..250})
                    mkdir "$name"
                    cd "$name"
                done
                dd if=/dev/null of=deep.part bs=1 seek=90000 2>/dev/null
                touch -d 2025-01-01T00:00:00Z deep.part
                """#,
            ], in: folder)
    }

    /// Writes the page of a command to `pages/NAME.html`.
    static func write(_ name: String, _ tool: TestedTool, _ arguments: [String], in folder: URL) throws {
        let pages = folder.appending(path: "pages")
        try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
        let run = try tool.run(arguments, in: folder)
        guard [0, 1, 3].contains(run.code), run.text.hasSuffix("</html>\n") else {
            throw UnwrittenPage(description: "\(name): \(run.code) \(run.errors)")
        }
        try run.output.write(to: pages.appending(path: "\(name).html"))
    }

    /// Writes a page of each kind.
    static func writePages(in folder: URL) throws {
        try make(in: folder)
        try makeHostile(in: folder)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "empty/Documents"), withIntermediateDirectories: true)
        let lint = ["--isolated", "--now", "2026-01-01", "--format", "html"]
        try write("lint", .sandboxlint, ["lint", "container"] + lint, in: folder)
        try write("hostile", .sandboxlint, ["lint", "hostile"] + lint, in: folder)
        try write("empty", .sandboxlint, ["lint", "empty"] + lint, in: folder)
        try write("diff", .sandboxlint, ["diff", "before", "container"] + lint, in: folder)
        for name in ["before", "container"] {
            let run = try TestedTool.sandboxlint.run(
                ["lint", name, "--isolated", "--now", "2026-01-01", "--output", "json=\(name).json"], in: folder)
            guard run.code < 2 else { throw UnwrittenPage(description: "\(name): \(run.errors)") }
        }
        try write(
            "trend", .sandboxlint, ["trend", "before.json", "container.json", "--format", "html"], in: folder)
        try write("usage", .sandboxfm, ["du", "container", "--html"], in: folder)
        try write("plan", .sandboxbackup, ["plan", "container", "--format", "html"], in: folder)
    }
}

/// A command that did not write a page.
struct UnwrittenPage: Error, CustomStringConvertible { let description: String }
