internal import PolicyTexts
internal import Secrets

extension String {
    /// The text without words that only a machine writes, such as tokens and hashes: at least 14 ASCII letters and digits of both
    /// kinds in a row. For places where the name of a value is not known; more is hidden than secrets.
    var withoutOpaqueWords: String {
        guard !SecretDisplay.isFull else { return self }
        var shown = ""
        var rest = self[...]
        while !rest.isEmpty {
            let other = rest.prefix { !$0.isOpaque }
            shown += other
            rest = rest[other.endIndex...]
            let word = rest.prefix { $0.isOpaque }
            let isOpaque = word.utf8.count >= 14 && word.contains(where: \.isNumber) && word.contains(where: \.isLetter)
            shown += isOpaque ? SecretShape.opaque.placeholder : String(word)
            rest = rest[word.endIndex...]
        }
        return shown
    }
}

extension Character {
    fileprivate var isOpaque: Bool { isASCII && (isLetter || isNumber) || self == "+" || self == "=" }
}
