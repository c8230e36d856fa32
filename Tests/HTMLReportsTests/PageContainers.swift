import Foundation
import TestSupport

/// Containers for pages, and the pages of the tools about them.
enum PageContainers {
    private static let provenance = "user.appcontainer.provenance"
    private static let exclusion = "user.com.apple.metadata:com_apple_backup_excludeItem"

    /// Creates `container` with content of every class, and `before` with less of it.
    static func make(in folder: URL) throws {
        try Command.setUp(
            "bash",
            [
                "-c",
                #"""
                set -eu
                mkdir -p container/{Documents/{Covers,Books},Library/{Caches/com.example.app,Preferences,SplashBoard},tmp}
                cd container
                mkdir -p "Library/Application Support/com.example.app/"{Search,Models}
                for i in {1..40}; do truncate -s $((i * 9000)) Documents/Covers/$i.jpg; done
                for i in {1..12}; do truncate -s $((i * 400000)) "Documents/Books/Volume $i.epub"; done
                for i in {1..15}; do truncate -s $((i * 30000)) "Library/Application Support/com.example.app/Search/$i.idx"; done
                for i in {1..4}; do truncate -s $((i * 700000)) "Library/Application Support/com.example.app/Models/$i.bin"; done
                for i in {1..120}; do truncate -s $((i * 1500)) Library/Caches/com.example.app/$i; done
                truncate -s 300000 Library/SplashBoard/1.ktx
                for i in {0..5}; do truncate -s $((i * 90000 + 50000)) tmp/upload-$i.part; done
                touch -d 2025-01-01T00:00:00Z tmp/*
                """#,
            ], in: folder)
        let container = folder.appending(path: "container")
        for number in 1...40 {
            try AttributeTool.set(provenance, to: "downloaded", of: "Documents/Covers/\(number).jpg", in: container)
        }
        let support = "Library/Application Support/com.example.app"
        for number in 1...15 {
            try AttributeTool.set(provenance, to: "derived", of: "\(support)/Search/\(number).idx", in: container)
        }
        try AttributeTool.set(exclusion, to: "x", of: "\(support)/Models", in: container)
        try Command.setUp(
            "bash",
            [
                "-c",
                "cp -a container before && rm -r before/Documents/Covers/3*.jpg && touch -d 2025-02-01 before/tmp/old.part",
            ], in: folder)
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
                    $'\u202egnp.exe' $'\u2066x\u2067' $'\u05e9\u05dc\u05d5\u05dd.txt' $'\xff\xfe' $'a\e[31m\x01\n' '&lt;b&gt;'
                    $'a\u2028b\u2029' '--><!--' ']]>' "$(printf 'x%.0s' {1..255})" '{{planted=1}}')
                size=5000
                for name in "${names[@]}"; do
                    size=$((size + 700))
                    mkdir -p "Documents/names/$name"
                    for path in "tmp/$name" "Documents/$name" "Documents/names/$name/$name" "tmp/</script><script>planted=1</$name"; do
                        mkdir -p "$(dirname "$path")"
                        truncate -s $size "$path"
                        touch -d 2025-01-01T00:00:00Z "$path"
                    done
                done
                cd tmp
                for level in {1..17}; do
                    name=$(printf 'd%.0s' {1..250})
                    mkdir "$name"
                    cd "$name"
                done
                truncate -s 90000 deep.part
                touch -d 2025-01-01T00:00:00Z deep.part
                """#,
            ], in: folder)
    }

    /// Writes the page of a command to `pages/NAME.html`.
    static func write(_ name: String, _ tool: String, _ arguments: [String], in folder: URL) throws {
        let pages = folder.appending(path: "pages")
        try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
        let run = try Command(tool, arguments, in: folder)
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
        try write("lint", Command.sandboxlint, ["lint", "container"] + lint, in: folder)
        try write("hostile", Command.sandboxlint, ["lint", "hostile"] + lint, in: folder)
        try write("empty", Command.sandboxlint, ["lint", "empty"] + lint, in: folder)
        try write("diff", Command.sandboxlint, ["diff", "before", "container"] + lint, in: folder)
        try write("usage", Command.sandboxfm, ["du", "container", "--html"], in: folder)
        try write("plan", Command.sandboxbackup, ["plan", "container", "--format", "html"], in: folder)
    }
}

/// A command that did not write a page.
struct UnwrittenPage: Error, CustomStringConvertible { let description: String }
