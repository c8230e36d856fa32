/// Words that are looked for in many texts, byte by byte: `String.contains` prepares a search for each word and text
/// anew, which costs many times what it finds.
package struct WordSearch: Sendable {
    /// The words by their first byte.
    private let words: [[[UInt8]]]

    package init(_ words: [String]) {
        var byFirst = [[[UInt8]]](repeating: [], count: 256)
        for word in words {
            if let first = word.utf8.first { byFirst[Int(first)].append(Array(word.utf8)) }
        }
        self.words = byFirst
    }

    /// Returns true if any of the words stands anywhere in the bytes.
    package func isMet(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        for start in text.indices {
            for word in words[Int(text[start])] where start + word.count <= text.count {
                if word.indices.allSatisfy({ text[start + $0] == word[$0] }) { return true }
            }
        }
        return false
    }

    /// Returns true if any of the words stands anywhere in the text.
    package func isMet(in text: String) -> Bool {
        var text = text
        return text.withUTF8 { isMet(in: $0) }
    }
}
