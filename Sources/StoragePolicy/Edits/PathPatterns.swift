internal import AppContainer
internal import FileSystem
internal import PolicyTexts
internal import PropertyLists
internal import Secrets
internal import TextOutput

/// The patterns of a configuration that match some files of a container and no others.
struct PathPatterns {
    /// Files whose names have one form.
    struct Files {
        /// The form of the directory, and that of the names: text for a pattern, with `*` for the parts that change by
        /// themselves.
        var directory: [UInt8]
        var name: [UInt8]
        /// The extension with its dot; empty without one.
        var pathExtension: [UInt8]
        /// The files, the first ones if not all are listed.
        var paths: [[UInt8]]
        var isListed: Bool
        /// True if they are databases, whose parts have names that begin with theirs.
        var hasParts: Bool

        /// The form of the path.
        var form: [UInt8] { ItemPath.joined(directory, name: name) }
        /// The pattern of the names.
        fileprivate var pattern: [UInt8] {
            form + (hasParts && form.last != PathPatterns.star ? [PathPatterns.star] : [])
        }
    }

    /// The most patterns of one question.
    static let most = 20

    private let known: KnownPaths

    init(_ known: KnownPaths) { self.known = known }

    fileprivate static let star = UInt8(ascii: "*")

    /// Returns the form of a path as a pattern that matches it: `*` for the parts that change by themselves, and `?` for each
    /// byte that a pattern cannot express.
    static func form(ofPath path: [UInt8]) -> [UInt8] { VaryingName.pattern(ofPath: literal(path)) }

    /// Returns a pattern of one path. A name with a secret is shown by its length alone.
    static func literal(_ path: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        let names = path.split(separator: slash, omittingEmptySubsequences: false).map { literal(ofName: Array($0)) }
        return Array(names.joined(separator: [slash]))
    }

    private static func literal(ofName name: [UInt8]) -> [UInt8] {
        if let text = String(utf8: name), text.withoutSecrets != text {
            return Array(repeating: UInt8(ascii: "?"), count: name.count)
        }
        var literal: [UInt8] = []
        literal.reserveCapacity(name.count)
        ByteText.forEachScalar(of: name) { scalar, _ in
            guard let scalar else { return literal.append(UInt8(ascii: "?")) }
            let text = Array(String(scalar).utf8)
            let isPlain = !"*?{}\"\\".unicodeScalars.contains(scalar) && isPrintable(scalar)
            literal += isPlain ? text : Array(repeating: UInt8(ascii: "?"), count: text.count)
        }
        return literal
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        let text = String(scalar)
        return ByteText.escaped(Array(text.utf8)) == text
    }

    /// Returns patterns that match files and, of the known files, no others; at most `most`, the simplest that do.
    func patterns(of files: [Files]) -> [String] {
        let others = others(besides: files)
        let patterns = patterns(of: files[...], others: others)
        return patterns.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The known paths of other files.
    private func others(besides files: [Files]) -> [[UInt8]] {
        let forms = Set(files.flatMap { file in [file.form] + file.paths.map(Self.form) })
        let databases = Set(files.filter(\.hasParts).map(\.form))
        let large = Set(files.filter { !$0.isListed }.map { $0.directory + [0] + $0.pathExtension })
        let prefix = files.dropFirst().reduce(files.first?.directory ?? []) {
            ItemPath.shared($0, $1.directory)
        }
        let top = Array(prefix.prefix { $0 != Self.star && $0 != UInt8(ascii: "?") })
        return known.byForm.filter { form, path in
            guard path.starts(with: top) || form.starts(with: top) else { return false }
            if forms.contains(form) || Self.isPart(form, of: databases) { return false }
            guard !large.isEmpty else { return true }
            let key = ItemPath.parent(form) + [0]
            return !large.contains(key) && !large.contains(key + Self.pathExtension(of: ItemPath.name(form)))
        }.map(\.value).sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Returns true for the form of the log, the journal or the lock of one of some databases.
    private static func isPart(_ form: [UInt8], of databases: Set<[UInt8]>) -> Bool {
        guard !databases.isEmpty else { return false }
        let name = (form.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
        return form.indices[name...].contains { index in
            "-.".utf8.contains(form[index]) && databases.contains(Array(form[..<index]))
        }
    }

    /// The extension of a name with its dot; empty without one.
    static func pathExtension(of name: [UInt8]) -> [UInt8] {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 13 else { return [] }
        return Array(name[dot...])
    }

    private func patterns(of files: ArraySlice<Files>, others: [[UInt8]]) -> [[UInt8]] {
        if files.count > 1, known.isComplete, let one = common(files, others: others) { return [one] }
        let directories = Dictionary(grouping: files, by: \.directory)
        if directories.count > 1 {
            let all = directories.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .flatMap { patterns(of: $0.value[...], others: others) }
            return Array(all.prefix(Self.most))
        }
        let extensions = Dictionary(grouping: files, by: \.pathExtension)
        if extensions.count > 1 {
            let all = extensions.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .flatMap { patterns(of: $0.value[...], others: others) }
            return Array(all.prefix(Self.most))
        }
        let own = files.flatMap { file -> [[UInt8]] in
            // A form such as `*` may match more than the files.
            guard file.isListed, !isFree(file.pattern, of: others) else { return [file.pattern] }
            if !file.hasParts, let mask = Self.mask(of: file.paths), isFree(mask, of: others) { return [mask] }
            let paths = file.paths.prefix(Self.most).map { Self.literal($0) }
            return file.hasParts ? paths.flatMap { [$0, $0 + [UInt8(ascii: "-"), Self.star]] } : paths
        }
        return Array(own.prefix(Self.most))
    }

    /// Returns a pattern of paths of one length, such as UUIDs in one directory, with `?` for the bytes that differ; nil for others.
    private static func mask(of paths: [[UInt8]]) -> [UInt8]? {
        guard paths.count > 1, let first = paths.first, paths.allSatisfy({ $0.count == first.count }) else {
            return nil
        }
        var mask = literal(first)
        for path in paths.dropFirst() {
            let other = literal(path)
            guard other.count == mask.count else { return nil }
            for index in mask.indices where mask[index] != other[index] {
                guard ![mask[index], other[index]].contains(UInt8(ascii: "/")) else { return nil }
                mask[index] = UInt8(ascii: "?")
            }
        }
        return mask
    }

    /// Returns one pattern for files of one name in directories that differ in one component below their location; nil for others,
    /// and for a name without words.
    static func siblings(_ files: some Collection<Files>) -> [UInt8]? {
        let slash = UInt8(ascii: "/")
        guard let first = files.first, files.count > 1,
            files.allSatisfy({ $0.name == first.name && $0.isListed && $0.hasParts == first.hasParts }),
            first.name.prefix(while: { $0 != UInt8(ascii: ".") }).contains(where: { (0x61...0x7a) ~= $0 | 0x20 })
        else { return nil }
        var parts = first.directory.split(separator: slash, omittingEmptySubsequences: false).map(Array.init)
        var different: Set<Int> = []
        for file in files {
            let others = file.directory.split(separator: slash, omittingEmptySubsequences: false)
            guard others.count == parts.count else { return nil }
            for (index, other) in others.enumerated() where !other.elementsEqual(parts[index]) {
                different.insert(index)
                parts[index] = [star]
            }
        }
        // Application Support and the like are directories of Library.
        let least = parts.first == Array("Library".utf8) ? 2 : 1
        guard different.count == 1, let position = different.first, position >= least else { return nil }
        let name = Array(first.pattern.dropFirst(first.directory.count + 1))
        return ItemPath.joined(Array(parts.joined(separator: [slash])), name: name)
    }

    /// Returns one pattern for all files; nil if each of those possible matches others or too much that is not there yet.
    private func common(_ files: ArraySlice<Files>, others: [[UInt8]]) -> [UInt8]? {
        guard let first = files.first else { return nil }
        if let pattern = Self.siblings(files), isFree(pattern, of: others) { return pattern }
        let directory = files.dropFirst().reduce(first.directory) { ItemPath.shared($0, $1.directory) }
        let isFlat = files.allSatisfy { $0.directory == directory }
        let isLocation = String(utf8: directory).map { path in Location.table.contains { $0.path == path } } ?? false
        // Directly in a location, few names are names of the app's own.
        guard !isLocation || isFlat && files.count > 3 else { return nil }
        let isUniform = files.allSatisfy { $0.pathExtension == first.pathExtension } && !first.pathExtension.isEmpty
        var candidates: [[UInt8]] = []
        if isFlat, isUniform {
            let tail = first.pathExtension + (files.contains(where: \.hasParts) ? [Self.star] : [])
            candidates.append(ItemPath.joined(directory, name: [Self.star] + tail))
        }
        if !isLocation {
            if isFlat { candidates.append(ItemPath.joined(directory, name: [Self.star])) }
            candidates.append(ItemPath.joined(directory, name: [Self.star, Self.star]))
        }
        return candidates.first { isFree($0, of: others) }
    }

    private func isFree(_ pattern: [UInt8], of others: [[UInt8]]) -> Bool {
        let glob = PathGlob(String(decoding: pattern, as: UTF8.self))
        return !others.contains { glob.matches($0) }
    }
}
