import ContainerTree
import Foundation
import HTMLReports
import TestSupport
import Testing

@Suite("A page", .timeLimit(.minutes(60))) struct PageTests {
    private static func text(_ page: HTMLPage) -> String {
        var text = ""
        page.write { text += $0 }
        return text
    }

    /// The data of the script, after it has been parsed.
    private static func data(_ text: String) throws -> [String: Any] {
        let start = try #require(text.range(of: "<script type=\"application/json\" id=\"data\">"))
        let end = try #require(text[start.upperBound...].range(of: "</script>"))
        let json = text[start.upperBound..<end.lowerBound]
        #expect(!json.contains("<") && !json.contains(">") && !json.contains("&"))
        #expect(!json.unicodeScalars.contains("\u{2028}") && !json.unicodeScalars.contains("\u{2029}"))
        return try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    private static func map(_ names: [[UInt8]]) -> StorageMap {
        let builder = StorageMapBuilder(limit: 100)
        var contents = builder.contents()
        for (number, name) in names.enumerated() {
            contents.add(name, storage: .backedUp, bytes: UInt64(1_000 - number))
        }
        builder.add(contents, at: [], storage: .backedUp)
        return builder.map()
    }

    private static func page(_ names: [[UInt8]] = []) -> HTMLPage {
        var page = HTMLPage(tool: "tool 1", title: "title", subtitle: "subtitle")
        page.maps = [.init("Map", map: map(names))]
        return page
    }

    private static func rule(_ id: String, _ findings: [HTMLPage.Finding], count: Int? = nil) -> HTMLPage.Rule {
        .init(
            id: id, severity: .warning, title: "title of \(id)", page: nil, help: "help", fix: nil, command: nil,
            count: count ?? findings.count, bytes: 1, findings: findings)
    }

    /// Names that a page must not take for markup, code or marks of direction.
    static let names: [String] = [
        "</script><script>planted=1</script>", "<!--", "<script>", "]]>", "\"onload=\"planted=1", "'>", "&amp;", "a&b",
        "\u{202e}gnp", "\u{2066}x", "\u{2028}\u{2029}", "\0\u{1}\u{1b}[31m\u{7f}", "\u{85}", "שלום", "é", "😀",
        String(repeating: "<", count: 4_096),
    ]

    @Test("Names are neither markup nor code nor marks of direction, wherever they are shown", arguments: names)
    func escaping(name: String) throws {
        let text = Self.text(Self.page(showing: name))
        // The markup has as many elements as that of a harmless name.
        func elements(_ text: String) -> Int { text.matches(of: /<[a-zA-Z!\/]/).count }
        #expect(
            elements(text) == elements(Self.text(Self.page(showing: name.contains("/") ? "x/x" : "x"))),
            "\(name.prefix(20))")
        let marks = text.unicodeScalars.filter {
            [.format, .control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        #expect(marks.allSatisfy { $0 == "\n" })
        _ = try Self.data(text)
    }

    /// A page that shows a name everywhere.
    private static func page(showing name: String) -> HTMLPage {
        var page = HTMLPage(tool: name, title: name, subtitle: name)
        page.maps = [.init(name, map: map([Array(name.utf8)]))]
        page.notices = [name]
        page.figures = [.init(name, label: name, severity: .error)]
        page.noFindings = name
        page.tables = [.init(name, columns: [.init(name)], rows: [[name]])]
        var finding = HTMLPage.Finding(
            severity: .error, path: Array(name.utf8), shownPath: name, message: name, items: 2, bytes: 1)
        finding.details = [(name, name)]
        finding.change = name
        page.rules = [
            .init(
                id: name, severity: .error, title: name, page: name, help: name, fix: name, command: name, count: 1,
                bytes: 1, findings: [finding])
        ]
        return page
    }

    @Test("The data is that of the map: names, kinds, classes and sizes, with the unlisted items at the end")
    func data() throws {
        let builder = StorageMapBuilder(limit: 100)
        var root = builder.contents()
        root.addSubdirectory()
        root.add("whole".utf8, storage: .excluded, items: 5, bytes: 20, isWholeDirectory: true)
        root.add("empty".utf8, storage: .backedUp, bytes: 0)
        builder.add(root, at: [], storage: .excluded)
        var inner = builder.contents()
        inner.add([0xff, 0x3c], storage: .caches, bytes: 30)
        builder.add(inner, at: Array("a".utf8), storage: .caches)
        var page = HTMLPage(tool: "tool", title: "title", subtitle: "")
        page.maps = [.init("Map", map: builder.map().limited(to: 10))]
        let maps = try #require(Self.data(Self.text(page))["maps"] as? NSArray)
        let expected: NSArray = [
            [
                "", 1, 5, 50, 8,
                [
                    ["a", 1, 3, 30, 1, [["%FF<", 0, 3, 30, 1]]], ["whole", 2, 5, 20, 5], ["", 3, 0, 0, 1],
                ],
            ]
        ]
        #expect(maps == expected, "\(maps)")
    }

    @Test("The style and the script take less than 300 KB, and nothing refers to another file")
    func size() throws {
        let text = Self.text(Self.page())
        #expect(text.utf8.count < 60_000, "\(text.utf8.count)")
        #expect(!text.contains("http:") && !text.contains("https:") && !text.contains("@import"))
        #expect(text.matches(of: /\b(src|href)="([^"]*)"/).map { String($0.2) } == ["data:,", "#results"])
        #expect(!text.contains("url("))
        #expect(text.matches(of: /'sha256-[A-Za-z0-9+\/]{43}='/).count == 2)
        // An attribute with a style or a script would be refused by the policy.
        let body = try #require(text.range(of: "<body>")).upperBound
        let markup = text[body...].split(separator: "<script").first ?? ""
        #expect(markup.matches(of: /\s(style|on\w+)=/).isEmpty)
    }

    @Test("A finding refers to its item, or to the nearest directory that is listed")
    func references() throws {
        let builder = StorageMapBuilder(limit: 100)
        var root = builder.contents()
        root.addSubdirectory()
        builder.add(root, at: [], storage: .backedUp)
        var inner = builder.contents()
        for (name, bytes) in [("large", 500), ("small", 1)] {
            inner.add(name.utf8, storage: .backedUp, bytes: UInt64(bytes))
        }
        builder.add(inner, at: Array("a".utf8), storage: .backedUp)
        var page = HTMLPage(tool: "tool", title: "title", subtitle: "")
        page.maps = [.init("Map", map: builder.map().limited(to: 2))]
        let paths = ["", "a", "a/large", "a/small", "a/gone/deeper", "gone"]
        page.rules = [
            Self.rule(
                "rule",
                paths.map {
                    .init(severity: .note, path: Array($0.utf8), shownPath: $0, message: "", items: 1, bytes: 1)
                } + [.init(severity: .note, path: nil, shownPath: "", message: "", items: 1, bytes: 1)])
        ]
        let text = Self.text(page)
        let numbers = text.matches(of: /data-node="(\d+)"/).map { String($0.1) }
        #expect(numbers == ["0", "1", "2", "1", "1", "0"])
    }

    @Test("A page is the same every time, and states how many findings of a rule are not shown")
    func limits() {
        var page = Self.page([Array("a".utf8)])
        let finding = HTMLPage.Finding(severity: .error, path: nil, shownPath: "a", message: "", items: 1, bytes: 1)
        page.rules = [Self.rule("one", [finding], count: 1_201), Self.rule("two", [finding])]
        let text = Self.text(page)
        #expect(text == Self.text(page))
        #expect(text.contains("1,200 more findings not shown."))
        #expect(text.matches(of: /not shown/).count == 1)
        page.rules = []
        #expect(Self.text(page).contains("No findings."))
        page.rules = nil
        #expect(!Self.text(page).contains("No findings."))
    }

    @Test("Long values are shortened in their middle")
    func lengths() {
        var page = Self.page()
        let long = "start" + String(repeating: "x", count: 100_000) + "end"
        page.tables = [.init("t", columns: [.init("c")], rows: [[long]])]
        page.rules = [
            Self.rule(
                "rule", [.init(severity: .error, path: nil, shownPath: long, message: long, items: 1, bytes: 1)])
        ]
        let text = Self.text(page)
        #expect(text.utf8.count < 60_000)
        #expect(text.matches(of: /startx+…x+end/).count == 3)
    }
}
