internal import AppContainer
internal import FileSystem
internal import PolicyTexts
internal import TextOutput

/// A question to the developer: the class of some undecided files, of which one answer is expected.
package struct Question: Sendable {
    /// The line of source code that probably writes files.
    package struct Line: Sendable, Hashable {
        /// The path of the source file as reports show it.
        package let file: String
        /// From 1.
        package let line: Int
        /// The probability that the line is right, from 0 to 1.
        package let confidence: Double
        /// The text of the line without secrets; nil if it cannot be read.
        package let text: String?

        package init(file: String, line: Int, confidence: Double, text: String?) {
            (self.file, self.line, self.confidence, self.text) = (file, line, confidence, text)
        }

        /// The file and the line, as compilers print them.
        package var place: String { "\(file):\(line)" }
    }

    /// Sixteen hexadecimal digits, which depend on the patterns alone.
    package let id: String
    /// The patterns that the answer declares.
    package let paths: [String]
    /// The closest directory of all files, with `*` for the parts of names that change by themselves; empty for the container.
    package let directory: String
    /// True if the files are excluded from backup.
    package let isExcluded: Bool
    package let items: Int
    package let bytes: UInt64
    /// The numbers of files by kind, the largest kind first: `40 pictures`.
    package let kinds: [String]
    /// The line that probably writes most of them; nil if none is likely enough.
    package let line: Line?

    fileprivate init?(_ cluster: QuestionCluster, patterns: PathPatterns) {
        let paths = Set(patterns.patterns(of: cluster.members.map(\.files))).sorted()
        guard !paths.isEmpty else { return nil }
        var digest = Digest()
        for path in paths { digest.add(path.utf8) }
        id = Digest.text(digest.value)
        self.paths = paths
        let directories = cluster.members.map(\.files.directory)
        directory = String(
            decoding: directories.dropFirst().reduce(directories[0], ItemPath.shared), as: UTF8.self)
        isExcluded = cluster.members.contains(where: \.isExcluded)
        (items, bytes) = (cluster.items, cluster.bytes)
        let sums = Dictionary(grouping: cluster.members, by: \.kind).map { kind, members in
            (
                kind: kind, items: members.reduce(0) { $0 + $1.items },
                bytes: members.reduce(UInt64(0)) { $0.addingSaturated($1.bytes) }
            )
        }
        kinds = sums.sorted { ($1.bytes, $1.items, $0.kind) < ($0.bytes, $0.items, $1.kind) }
            .map { UndeclaredDirectory.count($0.items, kind: $0.kind) }
        line =
            cluster.members.filter { $0.line != nil }
            .max { ($0.bytes, $1.files.form.text) < ($1.bytes, $0.files.form.text) }?.line
    }

    /// The most questions about one container.
    package static let most = 15

    /// Returns the questions about undecided files, those about the most bytes first.
    ///
    /// Files that the same line writes, and files of one directory and kind, are in one question. If there were more than
    /// `most`, similar files share a question, and the smallest questions are left out.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - lines: Returns the line that probably writes each of some paths.
    /// - Returns: At most `most` questions, in an order that depends on the files alone.
    package static func all(
        about files: UndecidedFiles, lines: ([[UInt8]]) -> [Line?] = { $0.map { _ in nil } }
    ) -> [Question] {
        var members = QuestionMember.all(files)
        for (index, line) in lines(members.map(\.example)).enumerated() { members[index].line = line }
        let patterns = PathPatterns(files.paths)
        let clusters = QuestionCluster.clusters(of: members, most: most)
        // Excluded files may have names of the same form as others.
        var ids: Set<String> = []
        return clusters.compactMap { Question($0, patterns: patterns) }.filter { ids.insert($0.id).inserted }
            .prefix(most).map(\.self)
    }
}

/// Undecided files whose paths have one form.
struct QuestionMember: Sendable {
    fileprivate(set) var files: PathPatterns.Files
    let location: Location
    let isExcluded: Bool
    let kind: String
    private(set) var items: Int
    private(set) var bytes: UInt64
    /// The sum of the probabilities of the groups, each times its files.
    private var expected: Double
    fileprivate(set) var line: Question.Line?

    /// The share of the files that is re-downloadable by the evidence.
    var probability: Double { expected / Double(max(1, items)) }
    /// The path that is searched for in the source code.
    fileprivate var example: [UInt8] { files.paths[0] }

    private init(_ files: PathPatterns.Files, group: UndecidedFiles.Group, items: Int, bytes: UInt64) {
        (self.files, location, isExcluded) = (files, group.location, group.isExcluded)
        (kind, self.items, self.bytes) = (group.kind, items, bytes)
        expected = group.probability * Double(items)
    }

    /// The most members: their number squared bounds the time.
    private static let most = 256
    /// The paths that are kept of one member: patterns list no more, one by one.
    private static let mostPaths = PathPatterns.most + 1

    /// Returns the files by the form of their paths. If there are too many forms, files of one directory and kind are together,
    /// then those of directories above.
    fileprivate static func all(_ undecided: UndecidedFiles) -> [QuestionMember] {
        let fine = undecided.groups.flatMap(members)
        var merged = merge(fine) { $0.key }
        var depth = merged.map { $0.files.directory.count { $0 == UInt8(ascii: "/") } + 1 }.max() ?? 0
        while merged.count > most, depth >= 0 {
            merged = merge(merged.map { $0.shortened(to: depth) }) { $0.key }
            depth -= 1
        }
        return Array(merged.sorted { $0.precedes($1) }.prefix(most))
    }

    private var key: [UInt8] { files.form + [isExcluded ? 1 : 0] + kind.utf8 }

    private static func members(of group: UndecidedFiles.Group) -> [QuestionMember] {
        let directory = PathPatterns.form(ofPath: group.directory)
        let names = group.files.map { ($0, form: PathPatterns.form(ofPath: $0.name)) }
        guard group.isListed else {
            // The first names stand for the others.
            let forms = Set(names.map(\.form)), extensions = Set(names.map { PathPatterns.pathExtension(of: $0.form) })
            let tail = extensions.count == 1 ? extensions.first ?? [] : []
            let files = PathPatterns.Files(
                directory: directory, name: forms.count == 1 ? names[0].form : [UInt8(ascii: "*")] + tail,
                pathExtension: tail, paths: group.files.map { ItemPath.joined(group.directory, name: $0.name) },
                isListed: false, hasParts: group.kind == "database")
            return files.paths.isEmpty
                ? [] : [QuestionMember(files, group: group, items: group.items, bytes: group.bytes)]
        }
        return names.map { file, form in
            let files = PathPatterns.Files(
                directory: directory, name: form, pathExtension: PathPatterns.pathExtension(of: form),
                paths: [ItemPath.joined(group.directory, name: file.name)], isListed: true,
                hasParts: group.kind == "database" || !file.parts.isEmpty)
            return QuestionMember(files, group: group, items: file.parts.count + 1, bytes: file.bytes)
        }
    }

    /// Returns the member with all that its directory has of its kind, or all below a directory of `depth` components.
    private func shortened(to depth: Int) -> QuestionMember {
        var member = self
        let slash = UInt8(ascii: "/")
        let parts = files.directory.split(separator: slash)
        member.files.name = [UInt8(ascii: "*")] + files.pathExtension
        if parts.count > depth {
            member.files.directory = Array(parts.prefix(depth).joined(separator: [slash]))
            (member.files.name, member.files.pathExtension) = (Array("**".utf8), [])
        }
        member.files.isListed = false
        return member
    }

    private static func merge(_ members: [QuestionMember], by key: (QuestionMember) -> [UInt8]) -> [QuestionMember] {
        var merged: [[UInt8]: QuestionMember] = [:]
        for member in members {
            let key = key(member)
            if merged[key] == nil { merged[key] = member } else { merged[key]?.add(member) }
        }
        return merged.values.sorted { $0.precedes($1) }
    }

    private mutating func add(_ other: QuestionMember) {
        items += other.items
        bytes = bytes.addingSaturated(other.bytes)
        expected += other.expected
        files.hasParts = files.hasParts || other.files.hasParts
        files.isListed = files.isListed && other.files.isListed && files.paths.count < Self.mostPaths
        files.paths = Array(
            (files.paths + other.files.paths).sorted { $0.lexicographicallyPrecedes($1) }.prefix(Self.mostPaths))
    }

    /// A total order: the largest first.
    fileprivate func precedes(_ other: QuestionMember) -> Bool {
        if bytes != other.bytes { return bytes > other.bytes }
        if files.form != other.files.form { return files.form.lexicographicallyPrecedes(other.files.form) }
        return kind < other.kind
    }

    /// The difference of two members: 0 for files that one answer certainly fits, `Self.separate` for files that are never in
    /// one question.
    fileprivate func difference(from other: QuestionMember) -> Double {
        // The answer changes what is reported in the other direction.
        guard isExcluded == other.isExcluded else { return Self.separate }
        let isSameLine = line != nil && line?.place == other.line?.place
        // A line that is little more than a guess joins nothing: 0 at 50 %, 1 from 80 %.
        let trust = min(1, max(0, (min(line?.confidence ?? 0, other.line?.confidence ?? 0) - 0.5) / 0.3))
        if location != other.location { return isSameLine && trust == 1 ? 0.5 : Self.separate }
        let slash = UInt8(ascii: "/")
        let left = files.directory.split(separator: slash), right = other.files.directory.split(separator: slash)
        let shared = zip(left, right).prefix { $0.elementsEqual($1) }.count
        let steps = left.count + right.count - 2 * shared
        // Files of one name in sibling directories, such as those of accounts, are the same files of each.
        let isSibling = PathPatterns.siblings([files, other.files]) != nil
        var sum = isSibling ? 0.3 : 0.6 * Double(steps)
        // Directories directly in a location belong to different parts of the app.
        if steps > 0, shared <= location.path.split(separator: "/").count { sum += 1 }
        if kind != other.kind { sum += 1 } else if files.pathExtension != other.files.pathExtension { sum += 0.3 }
        // Databases of other names hold other data, whatever line opens them.
        if files.name != other.files.name { sum += kind == "database" && other.kind == kind ? 1.35 : 0.35 }
        if isSameLine {
            sum -= 0.6 * trust
        } else if let own = line, let others = other.line {
            sum += own.file == others.file ? 0.4 : 1
        } else if line != nil || other.line != nil {
            sum += 0.2
        }
        return max(0, sum + 2 * abs(probability - other.probability))
    }

    /// Up to this difference, files are in one question.
    fileprivate static let alike = 0.5
    fileprivate static let separate = 50.0
}

/// Members that one question is about.
struct QuestionCluster {
    private(set) var members: [QuestionMember]
    fileprivate var items: Int { members.reduce(0) { $0 + $1.items } }
    fileprivate var bytes: UInt64 { members.reduce(0) { $0.addingSaturated($1.bytes) } }

    /// Returns clusters of members, the largest first: those that are alike, and the most similar ones until there are at most
    /// `most`. The difference of two clusters is that of their most different members.
    static func clusters(of members: [QuestionMember], most: Int) -> [QuestionCluster] {
        var clusters = members.map { QuestionCluster(members: [$0]) }
        var differences = members.indices.map { left in
            members.indices.map { right in left == right ? .infinity : members[left].difference(from: members[right]) }
        }
        // The closest other cluster of each, so that a step does not compare all pairs.
        func closest(to index: Int) -> Int {
            differences[index].indices.min { differences[index][$0] < differences[index][$1] } ?? 0
        }
        var neighbors = members.indices.map { closest(to: $0) }
        var rest = members.count
        while rest > 1 {
            guard
                let left = clusters.indices.filter({ !clusters[$0].members.isEmpty })
                    .min(by: { differences[$0][neighbors[$0]] < differences[$1][neighbors[$1]] })
            else { break }
            let right = neighbors[left]
            let difference = differences[left][right]
            guard difference <= QuestionMember.alike || rest > most, difference < QuestionMember.separate else { break }
            clusters[left].members += clusters[right].members
            clusters[right].members = []
            rest -= 1
            for index in clusters.indices {
                let further = max(differences[left][index], differences[right][index])
                (differences[left][index], differences[index][left]) = (further, further)
                (differences[right][index], differences[index][right]) = (.infinity, .infinity)
            }
            differences[left][left] = .infinity
            for index in clusters.indices where !clusters[index].members.isEmpty {
                if index == left || [left, right].contains(neighbors[index]) { neighbors[index] = closest(to: index) }
            }
        }
        return clusters.filter { !$0.members.isEmpty }.sorted { left, right in
            left.bytes != right.bytes ? left.bytes > right.bytes : left.members[0].precedes(right.members[0])
        }
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
