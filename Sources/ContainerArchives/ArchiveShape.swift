internal import PropertyLists

/// The structure of the objects of an archive. Its check predicts if the decoder terminates within its limits.
struct ArchiveShape {
    private let objects: [PropertyList]
    private let limits: ArchiveLimits
    /// The fields that the reader follows last, by the index of their object. See `ArchiveLinks`.
    private let links: [Int: Set<String>]

    init(_ objects: [PropertyList], limits: ArchiveLimits, links: [Int: Set<String>]) {
        self.objects = objects
        self.links = links
        self.limits = limits.clamped
    }

    /// The size of an object for the reader.
    fileprivate struct Measure {
        /// The depth of nested objects, including this one.
        var height = 0
        /// The number of objects in a traversal. See `ArchiveReader.Made`.
        var weight = 1
    }

    /// Follows the references as a decoder does, each object once.
    ///
    /// `comparisons` is the number of comparisons in sets and dictionaries.
    ///
    /// - Throws: `cycle` and `tooDeep`, with the position; `tooLarge` for an archive beyond the limits of the reader.
    func check(from root: Int, comparisons: Int) throws(ArchiveFault) {
        try checkNesting(from: root)
        try checkCost(comparisons)
    }

    /// Checks for cycles and depth, regardless of the order in which a decoder reads fields.
    func checkNesting(from root: Int) throws(ArchiveFault) {
        var measures: [Int: Measure] = [:]
        var path: [(index: Int, step: String)] = []
        _ = try measure(root, step: "root", path: &path, measures: &measures)
        for (index, keys) in links {
            guard case .dictionary(let fields) = objects[index] else { continue }
            for field in fields where keys.contains(field.key) {
                guard case .uid(let next) = field.value else { continue }
                _ = try measure(Int(next), step: "$objects[\(index)].\(field.key)", path: &path, measures: &measures)
            }
        }
    }

    private func measure(
        _ index: Int, step: String, path: inout [(index: Int, step: String)], measures: inout [Int: Measure]
    ) throws(ArchiveFault) -> Measure {
        guard case .dictionary(let fields) = objects[index] else { return Measure() }
        var item: String { path.map(\.step).joined() + step }
        guard !path.contains(where: { $0.index == index }) else {
            throw ArchiveFault(
                .cycle, at: item, "an object contains itself, which could not be read again",
                hint: ArchiveLinks.cycleHint)
        }
        if let known = measures[index], path.count + known.height <= limits.depth { return known }
        guard path.count < limits.depth else {
            throw ArchiveFault(.tooDeep, at: item, "more than \(limits.depth) levels of nested objects")
        }
        path.append((index, step))
        var all = Measure()
        let own = links[index]
        for field in fields where field.key != "$class" && own?.contains(field.key) != true {
            switch field.value {
            case .uid(let next):
                all.add(try measure(Int(next), step: "." + field.key, path: &path, measures: &measures))
            case .array(let members):
                for (position, member) in members.enumerated() {
                    guard case .uid(let next) = member else { continue }
                    all.add(
                        try measure(Int(next), step: ".\(field.key)[\(position)]", path: &path, measures: &measures))
                }
            default: break
            }
        }
        path.removeLast()
        all.height += 1
        if !isWalked(fields) { all.weight = 1 }
        guard all.weight <= limits.objects else {
            throw ArchiveFault(
                .tooLarge, at: item,
                "more than \(limits.objects) objects, where shared objects count for each reference")
        }
        measures[index] = all
        return all
    }

    /// Returns true for the fields of a Foundation object that contains others.
    private func isWalked(_ fields: [(key: String, value: PropertyList)]) -> Bool {
        guard let value = value(of: fields) else { return false }
        switch value {
        case .array, .mutableArray, .dictionary, .mutableDictionary, .set, .mutableSet, .countedSet, .orderedSet,
            .mutableOrderedSet, .attributedString, .mutableAttributedString:
            return true
        default: return false
        }
    }

    private func value(of fields: [(key: String, value: PropertyList)]) -> FoundationValue? {
        guard case .uid(let type)? = fields.last(where: { $0.key == "$class" })?.value,
            case .dictionary(let description) = objects[Int(type)],
            case .string(let name)? = description.first(where: { $0.key == "$classname" })?.value
        else { return nil }
        return FoundationValue.named(name)
    }

    /// Checks the maximum cost for the reader: each object once, with its fields, references, strings and data.
    private func checkCost(_ comparisons: Int) throws(ArchiveFault) {
        var (count, bytes) = (comparisons, 0)
        for object in objects {
            count += 1
            switch object {
            case .string(let text): bytes += text.utf8.count
            case .data(let content): bytes += content.count
            case .dictionary(let fields) where fields.contains(where: { $0.key == "$class" }):
                count += fields.count
                let isCounted = value(of: fields) == .countedSet
                for field in fields {
                    switch field.value {
                    case .array(let members): count += members.count
                    case .string(let text): bytes += text.utf8.count
                    case .data(let content): bytes += content.count
                    // The count of a member of a counted set.
                    case .integer(let times) where isCounted: count = count.addingClamped(Int(clamping: times))
                    default: break
                    }
                }
            default: break
            }
        }
        guard count <= limits.objects else {
            throw ArchiveFault(.tooLarge, "more than \(limits.objects) objects and fields")
        }
        guard bytes <= limits.bytes else {
            throw ArchiveFault(.tooLarge, "more than \(limits.bytes) bytes of text and data")
        }
    }
}

extension ArchiveShape.Measure {
    /// Adds a nested object.
    fileprivate mutating func add(_ other: Self) {
        height = max(height, other.height)
        weight = weight.addingClamped(other.weight)
    }
}

extension Int {
    /// Returns the sum, or the maximum on overflow.
    fileprivate func addingClamped(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
