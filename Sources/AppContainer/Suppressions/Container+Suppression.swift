internal import FileSystem
public import Foundation
internal import SystemPackage

extension Container {
    /// Suppresses the findings of a linter rule for an item, and stores the reason on the item. On a directory, the
    /// suppression applies to its content. An existing suppression of the same rule is replaced.
    ///
    /// The linter reports suppressions that have expired, that refer to an unknown rule, and that match no finding.
    ///
    /// - Parameters:
    ///   - rule: The rule's id (`stale-tmp`), its number, or a group (`stale`).
    ///   - reason: The reason why the findings are acceptable. It must not be empty.
    ///   - until: The date, in whole seconds, from which the findings are reported again.
    ///   - item: A file or directory. A symbolic link cannot have attributes.
    /// - Throws: `notEncodable` for an invalid rule, an empty reason, or more than 3 KiB of suppressions on one item;
    ///   `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noAttributes`,
    ///   `durabilityUnknown`, `failed`.
    public func suppress(
        _ rule: String, reason: String, until: Date? = nil, at item: ContainerPath
    ) throws(ContainerError) {
        let path = try relative(item)
        guard let new = Suppression(rule, reason: reason, until: until) else {
            throw ContainerError(
                .notEncodable, path,
                "A suppression on “\(item)” needs a reason and a rule that consists of lowercase letters, digits "
                    + "and “-”. Nothing on disk has changed.")
        }
        try changeSuppressions(of: rule, at: path, to: new)
    }

    /// Removes the suppressions of a rule from an item. A suppression on a parent directory remains in effect.
    ///
    /// - Throws: The errors of `suppress`.
    public func unsuppress(_ rule: String, at item: ContainerPath) throws(ContainerError) {
        try changeSuppressions(of: rule, at: try relative(item), to: nil)
    }

    /// Returns the suppressions on an item itself. Skips invalid ones.
    ///
    /// - Throws: `notFound`, `notAFile` for a symbolic link, `leavesContainer`, `noIdentifier`, `permissionDenied`,
    ///   `noAttributes`, `failed`.
    public func suppressions(of item: ContainerPath) throws(ContainerError) -> [Suppression] {
        let path = try relative(item)
        do throws(FileSystemError) {
            let file = try folder.open(path.isEmpty ? "." : path, followingLinks: false)
            return try file.attribute(Suppression.attribute).map(Suppression.lines)?.compactMap { line in
                if case .suppression(let suppression) = line { suppression } else { nil }
            } ?? []
        } catch { throw ContainerError(error) }
    }

    private func changeSuppressions(
        of rule: String, at path: FilePath, to new: Suppression?
    ) throws(ContainerError) {
        var isTooLong = false
        try forEachItem(path, false) { file throws(FileSystemError) in
            let old = String(decoding: try file.attribute(Suppression.attribute) ?? [], as: UTF8.self)
            var lines = old.split(whereSeparator: \.isNewline).filter { line in
                if case .suppression(let suppression) = Suppression.Line(line) {
                    suppression.rule != rule
                } else {
                    true
                }
            }.map(String.init)
            if let new { lines.append(new.line) }
            let value = Array(lines.map { $0 + "\n" }.joined().utf8)
            isTooLong = new != nil && value.count > Suppression.mostBytes
            if isTooLong { return }
            if value.isEmpty {
                try file.removeAttribute(Suppression.attribute)
            } else {
                try file.setAttribute(Suppression.attribute, value)
            }
        }
        if isTooLong {
            throw ContainerError(
                .notEncodable, path,
                "The suppressions on “\(path)” would take more than 3 KiB. Nothing on disk has changed. Shorten the "
                    + "reasons.")
        }
    }
}
