internal import ContainerTree
internal import Crypto
internal import Foundation
internal import TextOutput

extension HTMLPage {
    private static let style = EmbeddedFiles.text(ofType: "css")
    /// The script, in a function of its own.
    private static let script = "\"use strict\";(() => {\n\(EmbeddedFiles.text(ofType: "js"))start();\n})();\n"

    /// The policy of the page: only its own style and script, no network access, and no text that becomes markup.
    private static var contentPolicy: String {
        let hashes = [script, style].map { text in
            "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
        }
        return "default-src 'none'; script-src \(hashes[0]); style-src \(hashes[1]); img-src data:; base-uri 'none'; "
            + "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    }

    /// Writes the page, piece by piece.
    package func write(to output: @escaping (String) -> Void) {
        let indices = maps.map { MapIndex($0.map) }
        head(to: output)
        output("<header class=\"masthead\">\n<div><p class=\"tool\">\(HTMLText.escaped(tool))</p>\n")
        output("<h1>\(HTMLText.isolated(title))</h1>\n<p class=\"subtitle\">\(HTMLText.escaped(subtitle))</p></div>\n")
        writeFigures(to: output)
        output("</header>\n")
        output("<main>\n")
        summary(to: output)
        for (number, chart) in charts.enumerated() { ChartMarkup(chart: chart, number: number).write(to: output) }
        output("<div class=\"columns\">\n")
        if !maps.isEmpty { mapSections(to: output) }
        output("<div class=\"results\" id=\"results\">\n")
        if let rules { FindingMarkup(page: self, indices: indices).write(rules, to: output) }
        for (number, table) in tables.enumerated() { write(table, number: number, to: output) }
        output("</div>\n</div>\n</main>\n")
        writeData(indices, to: output)
        output("<script>\(Self.script)</script>\n</body>\n</html>\n")
    }

    private func head(to output: (String) -> Void) {
        output(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Self.contentPolicy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(HTMLText.escaped(title)) · \(HTMLText.escaped(tool))</title>
            <link rel="icon" href="data:,">
            <style>\(Self.style)</style>
            </head>
            <body>
            <a class="skip" href="#results">Skip to \(rules == nil ? "the tables" : "the findings")</a>

            """)
    }

    // MARK: - Figures

    private func summary(to output: (String) -> Void) {
        output("<section class=\"summary\" aria-label=\"Summary\">\n")
        if !verdict.isEmpty {
            let lines = verdict.map {
                "<div><dt>\(HTMLText.escaped($0.label))</dt><dd>\(HTMLText.prose($0.text))</dd></div>\n"
            }
            output("<dl class=\"verdict\">\n\(lines.joined())</dl>\n")
        }
        for notice in notices { output("<p class=\"notice\">\(HTMLText.prose(notice))</p>\n") }
        // All legends of a page have the same entries.
        let classes = StorageClass.allCases.filter { storage in maps.contains { $0.map.root.sums[storage].items > 0 } }
        for map in maps { totals(of: map, classes, to: output) }
        output("</section>\n")
    }

    private func writeFigures(to output: (String) -> Void) {
        guard !figures.isEmpty else { return }
        output("<dl class=\"figures\">\n")
        for figure in figures {
            let mark = figure.severity.map { "<span class=\"mark \($0.rawValue)\" aria-hidden=\"true\"></span>" }
            output("<div><dt>\(mark ?? "")\(HTMLText.escaped(figure.label))</dt>")
            output("<dd>\(HTMLText.escaped(figure.value))</dd></div>\n")
        }
        output("</dl>\n")
    }

    /// Writes the bytes of each class as a bar, with a legend that has the numbers.
    private func totals(of map: Map, _ classes: [StorageClass], to output: (String) -> Void) {
        let sums = map.map.root.sums
        let total = sums.total
        let heading = maps.count > 1 ? "\(map.title): \(Quantity.bytes(total.bytes))" : "Content by treatment"
        output("<h2 class=\"\(maps.count > 1 ? "minor" : "hidden")\">\(HTMLText.escaped(heading))</h2>\n")
        output("<svg class=\"bar\" viewBox=\"0 0 1000 12\" preserveAspectRatio=\"none\" aria-hidden=\"true\">")
        var start = 0.0
        for storage in StorageClass.allCases where sums[storage].bytes > 0 {
            let width = Double(sums[storage].bytes) / Double(total.bytes) * 1000
            output(
                "<rect class=\"fill-\(storage.style)\" x=\"\(Self.decimal(start))\" width=\"\(Self.decimal(width))\" "
                    + "height=\"12\"/>")
            start += width
        }
        output("</svg>\n<ul class=\"legend\">\n")
        for storage in classes {
            let sum = sums[storage]
            output("<li><span class=\"swatch class-\(storage.style)\" aria-hidden=\"true\"></span>")
            output("<span class=\"label\" title=\"\(HTMLText.escaped(storage.meaning))\">\(storage.label)</span>")
            output("<strong>\(Quantity.bytes(sum.bytes))</strong> ")
            output(
                "<span class=\"detail\">\(Quantity.count(sum.items, "item")), \(Self.share(sum.bytes, of: total.bytes))</span></li>\n"
            )
        }
        output("</ul>\n")
    }

    private static func decimal(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

    private static func share(_ part: UInt64, of whole: UInt64) -> String {
        guard whole > 0, part > 0 else { return "0 %" }
        let percent = Double(part) / Double(whole) * 100
        return percent < 1 ? "< 1 %" : "\(Int(percent.rounded())) %"
    }

    // MARK: - Maps

    private func mapSections(to output: (String) -> Void) {
        output("<div class=\"maps maps-\(min(maps.count, 2))\">\n")
        for (number, map) in maps.enumerated() {
            let root = map.map.root
            output("<section class=\"map\" data-map=\"\(number)\" aria-labelledby=\"map-\(number)\">\n")
            output("<h2 id=\"map-\(number)\">\(HTMLText.escaped(map.title))</h2>\n")
            output("<noscript><p class=\"notice\">The map needs JavaScript. The script of this page is in the file ")
            output("itself and has no access to the network.</p></noscript>\n")
            if root.omitted > 0 {
                output("<p class=\"hint\">The \(Quantity.count(root.listed, "largest item")) are shown one by one; ")
                output("\(Quantity.grouped(root.omitted)) smaller are combined in their directories.</p>\n")
            }
            output("</section>\n")
        }
        output("</div>\n")
    }

    /// Writes the data that the script reads.
    private func writeData(_ indices: [MapIndex], to output: @escaping (String) -> Void) {
        output("<script type=\"application/json\" id=\"data\">")
        var json = JSONWriter { output(HTMLText.escapedJSON($0)) }
        json.object { json in
            json.array("classes") { json in
                for storage in StorageClass.allCases {
                    json.array { json in
                        json.element(storage.style)
                        json.element(storage.label)
                    }
                }
            }
            json.array("maps") { json in for index in indices { index.write(&json) } }
        }
        output("</script>\n")
    }

    // MARK: - Tables

    private func write(_ table: Table, number: Int, to output: (String) -> Void) {
        output("<section class=\"table\" aria-labelledby=\"table-\(number)\">\n")
        output("<h2 id=\"table-\(number)\">\(HTMLText.escaped(table.title))</h2>\n")
        output(
            "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"table-\(number)\"><table>\n<thead><tr>"
        )
        for column in table.columns {
            output(
                "<th scope=\"col\"\(column.isNumber ? " class=\"number\"" : "")>\(HTMLText.escaped(column.name))</th>")
        }
        output("</tr></thead>\n<tbody>\n")
        for row in table.rows {
            output("<tr>")
            for (column, cell) in zip(table.columns, row) {
                let text = HTMLText.isolated(HTMLText.shortened(cell, to: Self.mostCharacters))
                output("<td\(column.isNumber ? " class=\"number\"" : "")>\(text)</td>")
            }
            output("</tr>\n")
        }
        output("</tbody>\n</table></div>\n</section>\n")
    }
}
