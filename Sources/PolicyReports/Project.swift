package import StoragePolicy

/// The public address of this project, for links in reports. It is defined only here.
package enum Project {
    /// The repository, without a slash at its end. Until the project is published, a name that never exists (RFC 2606).
    ///
    /// `scripts/set-address` changes it, and the pages that show it. Releases have the address of the repository that made
    /// them.
    package static let address = "https://sandboxlint.example"

    /// The address for links; nil until the project is published, since the links would lead nowhere.
    static let link: String? = address.hasSuffix(".example") ? nil : address

    /// Returns the page that documents a built-in rule (`rules/docs`); nil until the project is published. For another rule,
    /// returns its first reference that is a plain web address, if any.
    package static func page(of rule: Rule) -> String? {
        if rule.isBuiltIn { return link.map { "\($0)/blob/main/rules/docs/\(rule.id).md" } }
        return rule.references.first { reference in
            reference.hasPrefix("https://") && reference.utf8.allSatisfy(isPlain)
        }
    }

    /// The characters that do not end a link in Markdown. Source: RFC 3986, 2.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:/?#@!$&+,;=%".utf8.contains(byte)
        }
    }
}
