package import StoragePolicy

/// The public address of this project, for links in reports. This is the only place that knows it.
package enum Project {
    /// The repository, without a slash at its end.
    package static let address = "https://github.com/example/sandboxlint"

    /// The page that documents a rule of this build (`rules/docs`); for another rule the first of its references that
    /// is a plain web address, if any.
    package static func page(of rule: Rule) -> String? {
        if rule.isBuiltIn { return "\(address)/blob/main/rules/docs/\(rule.id).md" }
        return rule.references.first { reference in
            reference.hasPrefix("https://") && reference.utf8.allSatisfy(isPlain)
        }
    }

    /// Letters, digits and marks that end no link in Markdown. Source: RFC 3986, 2.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:/?#@!$&+,;=%".utf8.contains(byte)
        }
    }
}
