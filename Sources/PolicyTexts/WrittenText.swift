/// Sentences and notes, as people write them.
package enum WrittenText {
    private static let fewestWords = 6
    /// The marks of code, markup, tables and settings, which sentences have seldom.
    private static let marks = Set("<>{}[]|\\=;_$#&@^~".utf8)

    /// Returns true for a text of words in lines of three and more: at least six, nearly all of letters, and without the marks of
    /// code. The marks of Markdown at the beginning of a line do not count. Programs repeat their lines, as in a log.
    ///
    /// A server sends texts as well, so that it only keeps a name from deciding.
    package static func isWritten(_ text: some Collection<UInt8>) -> Bool {
        let lines = Array(text.prefix(4_096)).split(separator: UInt8(ascii: "\n")).map { line in
            line.drop { "#>*-+ \t".utf8.contains($0) }
        }.filter { !$0.isEmpty }
        let words = lines.flatMap { $0.split { $0 <= 0x20 } }
        guard words.count >= fewestWords, words.count >= lines.count * 3, Set(lines).count * 2 > lines.count else {
            return false
        }
        let (bytes, letters) = words.reduce(into: (0, 0)) { sums, word in
            sums.0 += word.count
            sums.1 += word.count { $0 >= 0x80 || (0x41...0x5a).contains($0 & 0xdf) }
        }
        let marked = lines.reduce(0) { $0 + $1.count { marks.contains($0) } }
        return letters * 100 >= bytes * 70 && marked * 50 <= bytes && bytes <= words.count * 12
    }
}
