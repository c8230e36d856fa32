internal import PropertyLists

/// How the objects of an archive hang together: whether the decoder will come to an end with it.
struct ArchiveShape {
    private let objects: [PropertyList]
    private let limits: ArchiveLimits

    init(_ objects: [PropertyList], _ limits: ArchiveLimits) {
        self.objects = objects
        self.limits = limits
    }

    /// Goes the ways that a decoder goes, each object once.
    ///
    /// - Throws: `cycle` and `tooDeep`, with the way that leads there.
    func check(from root: Int) throws(ArchiveFault) {
        var heights: [Int: Int] = [:]
        var path: [(index: Int, step: String)] = []
        _ = try height(root, "root", &path, &heights)
    }

    /// How many objects lie within each other from here on.
    private func height(
        _ index: Int, _ step: String, _ path: inout [(index: Int, step: String)], _ heights: inout [Int: Int]
    ) throws(ArchiveFault) -> Int {
        guard case .dictionary(let fields) = objects[index] else { return 0 }
        var place: String { path.map(\.step).joined() + step }
        guard !path.contains(where: { $0.index == index }) else {
            throw ArchiveFault(
                .cycle, at: place, "an object that holds itself, which could not be read again",
                hint: "Encode one direction only, and set the other in init(coder:).")
        }
        if let height = heights[index], path.count + height <= limits.depth { return height }
        guard path.count < limits.depth else {
            throw ArchiveFault(.tooDeep, at: place, "more than \(limits.depth) objects within each other")
        }
        path.append((index, step))
        defer { path.removeLast() }
        var deepest = 0
        for field in fields where field.key != "$class" {
            switch field.value {
            case .uid(let next): deepest = max(deepest, try height(Int(next), "." + field.key, &path, &heights))
            case .array(let members):
                for (position, member) in members.enumerated() {
                    guard case .uid(let next) = member else { continue }
                    let step = ".\(field.key)[\(position)]"
                    deepest = max(deepest, try height(Int(next), step, &path, &heights))
                }
            default: break
            }
        }
        heights[index] = deepest + 1
        return deepest + 1
    }
}
