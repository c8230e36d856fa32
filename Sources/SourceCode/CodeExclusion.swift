internal import TextOutput

extension AppSource {
    /// Lines around a place in which the URL of its item is excluded from backup.
    private static let nearby = 20

    /// Returns the line that excludes the URL of an item from backup, in the code beside the place that writes it; nil without
    /// one. Swift and Objective-C are read.
    ///
    /// The URL is the constant whose value the place states, the argument of the call that writes, or a copy of either.
    package func exclusion(near place: CodePlace) -> Int? {
        guard let index, ["swift", "m", "mm"].contains(Self.language(of: place.path)) else { return nil }
        let mentions = index.files[place.file].mentions.filter {
            $0.meaning == .excludes && abs(Int($0.line) - place.line) <= Self.nearby
        }
        guard !mentions.isEmpty, let bytes = index.contents(of: place.file) else { return nil }
        let first = max(1, place.line - Self.nearby)
        let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).dropFirst(first - 1)
            .prefix(2 * Self.nearby + 1).map { String(decoding: $0, as: UTF8.self) }
        guard lines.indices.contains(place.line - first) else { return nil }
        return CodeExclusion(lines).line(of: place.line - first).map { $0 + first }
    }

    private static func language(of path: [UInt8]) -> String {
        String(decoding: path.split(separator: UInt8(ascii: ".")).last ?? [], as: UTF8.self)
    }
}

/// The exclusions from backup in some lines of code.
struct CodeExclusion {
    private let lines: [String]

    init(_ lines: [String]) { self.lines = lines }

    /// Returns the index of the line that excludes the URL of the item that a line writes.
    func line(of writing: Int) -> Int? {
        var urls: Set<String> = []
        if let name = Self.declaration(in: lines[writing])?.name { urls.insert(name) }
        if let url = AppSource.writtenURL(in: lines[writing]) { urls.insert(url) }
        guard !urls.isEmpty else { return nil }
        // Only a variable can be excluded, so that the code copies a constant.
        for line in lines {
            if let copy = Self.declaration(in: line), urls.contains(copy.value) { urls.insert(copy.name) }
        }
        return lines.indices.first { number in
            guard let url = Self.excludedURL(in: lines[number]), urls.contains(url) else { return false }
            return lines[number].contains("NSURLIsExcludedFromBackupKey")
                ? excludes(number) : setsExclusion(before: number)
        }
    }

    /// The name and the value of a constant or a variable on a line: `let url = directory`.
    private static func declaration(in line: String) -> (name: String, value: String)? {
        guard let equals = line.firstRange(of: " = ") else { return nil }
        let left = line[..<equals.lowerBound].split { " *:".contains($0) }
        guard left.count >= 2 else { return nil }
        let isSwift = left.first == "let" || left.first == "var"
        guard let name = isSwift ? left[1...].first : left.last else { return nil }
        var value = line[equals.upperBound...]
        while let last = value.last, " ;\r".contains(last) { value.removeLast() }
        return (String(name), String(value))
    }

    /// The expression before `setResourceValues` or `setResourceValue`.
    private static func excludedURL(in line: String) -> String? {
        guard let call = line.firstRange(of: "setResourceValue") else { return nil }
        let before = line[..<call.lowerBound].split { " \t([".contains($0) }
        guard var url = before.last else { return nil }
        if url.last == "." { url.removeLast() }
        if url.last == "?" || url.last == "!" { url.removeLast() }
        return url.isEmpty ? nil : String(url)
    }

    private func excludes(_ number: Int) -> Bool {
        ["YES", "true", "numberWithBool:1"].contains(where: lines[number].contains)
    }

    /// Returns true if the last value that is set before a line is that of an exclusion.
    private func setsExclusion(before number: Int) -> Bool {
        lines[...number].last { $0.contains("isExcludedFromBackup") }.map { $0.contains("true") } ?? false
    }
}
