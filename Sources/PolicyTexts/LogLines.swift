/// The lines of a log.
package enum LogLines {
    /// Returns true if a text begins with at least three lines of a log, and if at least half of its first eight lines are; also for
    /// the transcript of requests, and for the output of a program that names its functions.
    package static func areLog(_ text: some Collection<UInt8>) -> Bool {
        let lines = Array(text.prefix(4_096)).split(separator: UInt8(ascii: "\n")).prefix(8)
        let logged = lines.count { isLogLine($0) || isTranscript($0) }
        if logged >= 3, logged * 2 >= lines.count { return true }
        return lines.first.map { line in engines.contains { line.starts(with: $0.utf8) } } ?? false || areOutput(lines)
    }

    /// True if a line of a transcript states a request or its answer: of HTTP (OkHttp, Ktor, curl) and, after a time, of a protocol of
    /// lines such as IMAP.
    private static func isTranscript(_ line: some Collection<UInt8>) -> Bool {
        if transcripts.contains(where: { line.starts(with: $0.utf8) }) { return true }
        let text = String(decoding: line.prefix(64), as: UTF8.self)
        if methods.contains(where: text.hasPrefix), text.contains(" HTTP/1") || text.contains(" http") { return true }
        // `2026-01-01T10:00:00Z >> PROPFIND /`, `… S: * OK`, `… I/Tag: text`.
        let words = text.split(separator: " ", maxSplits: 3)
        guard let time = words.first, time.count >= 8, time.count(where: { $0 == ":" }) == 2,
            time.first?.isNumber ?? false
        else { return false }
        return words.dropFirst().prefix(2).contains { word in
            ["<<", ">>", "S:", "C:"].contains(word) || word.dropFirst().first == "/" && word.last == ":"
        }
    }

    private static let transcripts = [
        "--> GET ", "--> POST ", "<-- 2", "<-- 4", "REQUEST: http", "METHOD: ", "RESPONSE: ", "> GET /", "< HTTP/",
    ]
    private static let methods = ["GET /", "POST /", "PUT /", "HEAD /", "PROPFIND /", "REPORT /"]
    /// The first lines of the logs of engines. Source: Unity’s manual (“Log files”).
    private static let engines = ["Mono path[0] = ", "Initialize engine version:"]

    /// True if lines begin with few names of functions again and again: `model_loader: 3 tensors`.
    private static func areOutput(_ lines: some Collection<ArraySlice<UInt8>>) -> Bool {
        let functions = lines.compactMap { line -> ArraySlice<UInt8>? in
            let name = line.prefix {
                $0 == UInt8(ascii: "_") || (0x61...0x7a).contains($0) || (0x30...0x39).contains($0)
            }
            let isFunction = name.count >= 8 && name.contains(UInt8(ascii: "_"))
            return isFunction && line.dropFirst(name.count).starts(with: ": ".utf8) ? name : nil
        }
        return functions.count >= 6 && functions.count * 4 >= lines.count * 3
            && Set(functions).count * 2 <= functions.count
    }

    /// True if a line begins with a time of day, and names a level near its beginning as a word or as a letter, or if it
    /// begins with a level in brackets.
    private static func isLogLine(_ line: some Collection<UInt8>) -> Bool {
        let start = line.prefix(48)
        let text = String(decoding: start, as: UTF8.self).uppercased()
        if bracketed.contains(where: text.hasPrefix) { return true }
        let digits = start.prefix(24).count { (0x30...0x39).contains($0) }
        guard start.prefix(24).count(where: { $0 == UInt8(ascii: ":") }) >= 2, digits >= 6 else { return false }
        return levels.contains { text.contains($0) }
            || "DIWEVFNT".contains(text.first ?? " ") && text.dropFirst().first == " "
    }

    private static let bracketed = ["[DEBUG]", "[INFO]", "[NOTICE]", "[WARN]", "[WARNING]", "[ERROR]", "[TRACE]"]
    private static let levels = [
        "DEBUG", "INFO", "NOTICE", "WARN", "ERROR", "TRACE", "VERBOSE", "FATAL", "MESSAGE", "[D]", "[I]", "[W]", "[E]",
        " D ", " I ", " W ", " E ", " D[", " I[", " N[", " W[", " E[",
    ]
}
