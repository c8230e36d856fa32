internal import TextOutput

/// The markup of findings by rule, with the form that filters them.
struct FindingMarkup {
    let page: HTMLPage
    /// The numbers of the items of each map.
    let indices: [MapIndex]

    /// Writes a section for each rule.
    func write(_ rules: [HTMLPage.Rule], to output: (String) -> Void) {
        let shown = rules.reduce(0) { $0 + $1.findings.count }
        output("<section class=\"findings\" aria-labelledby=\"findings\">\n<h2 id=\"findings\">Findings</h2>\n")
        guard shown > 0 else {
            output("<p class=\"empty\">\(HTMLText.escaped(page.noFindings))</p>\n</section>\n")
            return
        }
        form(rules, to: output)
        output("<p class=\"count scripted\" role=\"status\">\(Quantity.count(shown, "finding"))</p>\n")
        for (number, rule) in rules.enumerated() where !rule.findings.isEmpty {
            write(rule, number: number, to: output)
        }
        output("</section>\n")
    }

    // MARK: - Filter

    private func form(_ rules: [HTMLPage.Rule], to output: (String) -> Void) {
        output("<form class=\"filter scripted\" role=\"search\" aria-label=\"Filter findings\">\n")
        output("<div class=\"field wide\"><label for=\"filter-text\">Text</label>")
        output("<input id=\"filter-text\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\"></div>\n")
        let all = rules.flatMap(\.findings)
        output("<fieldset><legend>Severity</legend>\n")
        for severity in HTMLPage.Severity.allCases where all.contains(where: { $0.severity == severity }) {
            output("<label><input type=\"checkbox\" name=\"severity\" value=\"\(severity.rawValue)\" checked>")
            output("<span class=\"mark \(severity.rawValue)\" aria-hidden=\"true\"></span>\(severity.label)</label>\n")
        }
        output("</fieldset>\n")
        let changes = Set(all.compactMap(\.change)).sorted()
        if changes.count > 1 {
            select(
                "change", label: "Change",
                options: [("", "Any")] + changes.map { ($0, $0.prefix(1).uppercased() + $0.dropFirst()) },
                to: output)
        }
        select("rule", label: "Rule", options: [("", "All rules")] + ids(of: rules).map { ($0, $0) }, to: output)
        let sizes = [("0", "Any"), ("1000", "1 KB"), ("100000", "100 KB"), ("1000000", "1 MB"), ("10000000", "10 MB")]
        select(
            "size", label: "At least", options: sizes + [("100000000", "100 MB"), ("1000000000", "1 GB")], to: output)
        select("order", label: "Order", options: [("severity", "Severity"), ("size", "Size")], to: output)
        output("<button type=\"reset\">Reset</button>\n</form>\n")
    }

    /// The ids of all rules, each once, in the order of their sections.
    private func ids(of rules: [HTMLPage.Rule]) -> [String] {
        var seen: Set<String> = []
        return rules.flatMap { [$0.id] + $0.others }.filter { seen.insert($0).inserted }
    }

    private func select(
        _ name: String, label: String, options: [(value: String, text: String)], to output: (String) -> Void
    ) {
        output("<div class=\"field\"><label for=\"filter-\(name)\">\(label)</label><select id=\"filter-\(name)\">")
        for option in options {
            output("<option value=\"\(HTMLText.escaped(option.value))\">\(HTMLText.escaped(option.text))</option>")
        }
        output("</select></div>\n")
    }

    // MARK: - Findings

    private func write(_ rule: HTMLPage.Rule, number: Int, to output: (String) -> Void) {
        let id = HTMLText.escaped(rule.id)
        let ids = ([rule.id] + rule.others).map(HTMLText.escaped)
        output("<section class=\"rule\" data-rule=\"\(ids.joined(separator: " "))\" data-bytes=\"\(rule.bytes)\" ")
        // Two sections about one rule differ in their facts.
        output("aria-labelledby=\"rule-\(number) facts-\(number)\">\n<h3 id=\"rule-\(number)\">\(mark(rule.severity))")
        output("\(HTMLText.prose(rule.title))</h3>\n<p class=\"facts\" id=\"facts-\(number)\">")
        let name = "<code>\(id)</code>"
        output(
            rule.page.map { "<a href=\"\(HTMLText.escaped($0))\" rel=\"noopener noreferrer\">\(name)</a>" } ?? name)
        for other in ids.dropFirst() { output(", <code>\(other)</code>") }
        if let location = rule.location {
            output(" · \(HTMLText.isolated(HTMLText.shortened(location, to: HTMLPage.mostCharacters)))")
        }
        output(" · \(Quantity.count(rule.count, "finding")) · \(Quantity.bytes(rule.bytes))</p>\n")
        if let reason = rule.reason {
            let text = HTMLText.shortened("because \(reason)", to: HTMLPage.mostCharacters)
            output("<p class=\"help\"><bdi>\(HTMLText.prose(text))</bdi></p>\n")
        }
        output("<p class=\"help\">\(HTMLText.prose(rule.help))</p>\n")
        if let fix = rule.fix {
            output("<p class=\"fix\">\(HTMLText.prose(fix))")
            if let command = rule.command { output("<br><code>\(HTMLText.escaped(command))</code>") }
            output("</p>\n")
        }
        for remedy in rule.remedies { write(remedy, to: output) }
        output("<ul>\n")
        for finding in rule.findings { write(finding, to: output) }
        output("</ul>\n")
        let hidden = rule.count - rule.findings.count
        if hidden > 0 {
            output("<p class=\"hint\">\(Quantity.count(hidden, "more finding")) not shown.</p>\n")
        }
        output("</section>\n")
    }

    private func write(_ remedy: HTMLPage.Rule.Remedy, to output: (String) -> Void) {
        output("<details class=\"remedy\"><summary>In Swift: \(HTMLText.prose(remedy.title))</summary>\n")
        for code in remedy.codes {
            output(
                "<p>With \(HTMLText.escaped(code.module)):</p>\n<pre><code>\(HTMLText.escaped(code.text))</code></pre>\n"
            )
        }
        output("</details>\n")
    }

    private func write(_ finding: HTMLPage.Finding, to output: (String) -> Void) {
        output("<li class=\"finding\" data-severity=\"\(finding.severity.rawValue)\" data-bytes=\"\(finding.bytes)\"")
        if let path = finding.path, indices.indices.contains(finding.map) {
            output(" data-map=\"\(finding.map)\" data-node=\"\(indices[finding.map].number(of: path))\"")
        }
        if let change = finding.change { output(" data-change=\"\(HTMLText.escaped(change))\"") }
        output("><details><summary>\(mark(finding.severity))")
        if let change = finding.change { output("<span class=\"change\">\(HTMLText.escaped(change))</span> ") }
        output("<span class=\"path\">\(path(finding.shownPath))</span> ")
        output("<span class=\"size\">\(Quantity.bytes(finding.bytes))</span></summary>\n<div class=\"body\">")
        output("<p>\(HTMLText.isolated(HTMLText.shortened(finding.message, to: HTMLPage.mostCharacters)))</p>\n")
        var details = finding.details
        if finding.items > 1 { details.insert(("items", Quantity.grouped(finding.items)), at: 0) }
        if !details.isEmpty {
            output("<dl>")
            for (name, value) in details {
                let value = HTMLText.isolated(HTMLText.shortened(value, to: HTMLPage.mostCharacters))
                output("<div><dt>\(HTMLText.escaped(name))</dt><dd>\(value)</dd></div>")
            }
            output("</dl>\n")
        }
        output("</div></details></li>\n")
    }

    /// Returns a path with its last component marked.
    private func path(_ text: String) -> String {
        let text = HTMLText.shortened(text, to: HTMLPage.mostCharacters)
        guard let slash = text.lastIndex(of: "/"), text.index(after: slash) < text.endIndex else {
            return "<bdi><b>\(HTMLText.escaped(text))</b></bdi>"
        }
        let name = text[text.index(after: slash)...]
        return "<bdi>\(HTMLText.escaped(text[...slash]))</bdi><wbr><bdi><b>\(HTMLText.escaped(name))</b></bdi>"
    }

    private func mark(_ severity: HTMLPage.Severity) -> String {
        "<span class=\"mark \(severity.rawValue)\" aria-hidden=\"true\"></span><span class=\"hidden\">\(severity.label): </span>"
    }
}

extension HTMLPage.Severity {
    var label: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
