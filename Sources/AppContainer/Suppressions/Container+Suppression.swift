internal import FileSystem
public import Foundation
internal import SystemPackage

extension Container {
    /// Lets a rule of the linter be silent about an item, and says why on the item itself. On a directory it holds for
    /// all that lies in it. A suppression of the same rule that is there already is replaced.
    ///
    /// The linter tells of suppressions that are over, that name no rule of its, and that nothing comes under.
    ///
    /// - Parameters:
    ///   - rule: The rule's id (`stale-tmp`), its number, or a group (`stale`).
    ///   - reason: Why what it finds is right here; it must not be empty.
    ///   - until: From when on it is reported again, in whole seconds.
    ///   - place: A file or directory. A symbolic link carries no attribute.
    /// - Throws: `notEncodable` for a rule that is no word, no reason, or more than 3 KiB of them on one item;
    ///   `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noAttributes`,
    ///   `durabilityUnknown`, `failed`.
    public func suppress(
        _ rule: String, reason: String, until: Date? = nil, at place: ContainerPath
    ) throws(ContainerError) {
        let path = try relative(place)
        guard let new = Suppression(rule, reason: reason, until: until) else {
            throw ContainerError(
                .notEncodable, path,
                "“\(place)” gets no suppression without a reason and a rule, whose name is of small letters, digits "
                    + "and “-”. Nothing on disk has changed.")
        }
        try changeSuppressions(of: rule, at: path, to: new)
    }

    /// Takes the suppressions of a rule off an item; one of a directory above it stays in force.
    ///
    /// - Throws: As `suppress` does.
    public func unsuppress(_ rule: String, at place: ContainerPath) throws(ContainerError) {
        try changeSuppressions(of: rule, at: try relative(place), to: nil)
    }

    /// The suppressions on an item itself; what cannot be read as one is left out.
    ///
    /// - Throws: `notFound`, `notAFile` for a symbolic link, `leavesContainer`, `noIdentifier`, `permissionDenied`,
    ///   `noAttributes`, `failed`.
    public func suppressions(of place: ContainerPath) throws(ContainerError) -> [Suppression] {
        let path = try relative(place)
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
