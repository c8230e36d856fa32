/// The uses of the constants whose values match, and of the functions around literals that match.
extension CodeSearch {
    /// A line that uses a constant or a function.
    typealias Use = (file: Int, line: UInt32)

    /// The most files that use one constant. More of them use different constants of this name.
    private static let mostUses = 12
    /// The lowest weight of a match that is followed.
    private static let leastWeight = 0.1
    /// The most lines of a function that makes a path.
    private static let longestFunction: UInt32 = 40

    /// Returns the names of the constants of which a match is the value.
    func constants(of matches: [[Int: [Match]]]) -> Set<UInt32> {
        var constants: Set<UInt32> = []
        for match in matches.lazy.joined().flatMap(\.value) {
            let literal = index.files[match.literal.file].literals[match.literal.position]
            guard literal.binding != 0 else { continue }
            constants.insert(literal.binding)
            if literal.member != 0 { constants.insert(literal.member) }
        }
        return constants
    }

    /// Returns the names of the functions around matches whose names say that they return a place.
    func functions(of matches: [[Int: [Match]]]) -> Set<UInt32> {
        var functions: Set<UInt32> = []
        for (file, matches) in matches.joined() {
            for match in matches where match.weight > Self.leastWeight {
                if let name = function(of: match, in: file) { functions.insert(name) }
            }
        }
        return functions
    }

    private func function(of match: Match, in file: Int) -> UInt32? {
        guard let function = index.files[file].function(at: match.line), function.purpose.contains(.locates),
            function.last - function.first <= Self.longestFunction
        else { return nil }
        return function.name
    }

    /// Returns the lines near a file API that use names.
    func uses(of names: Set<UInt32>) -> [UInt32: [Use]] {
        var uses: [UInt32: [Use]] = [:]
        guard !names.isEmpty else { return uses }
        for (number, file) in index.files.enumerated() {
            for use in file.uses where names.contains(use.hash) {
                if uses[use.hash, default: []].count <= Self.mostUses {
                    uses[use.hash, default: []].append((number, use.line))
                }
            }
        }
        return uses
    }

    /// Returns true if a file has a constant with a literal and a name, or a member of a type likewise.
    private func declares(_ name: UInt32, in file: Int) -> Bool {
        index.files[file].literals.contains { $0.binding == name || $0.member == name }
    }

    /// Returns true if a line deletes what it names, and writes nothing.
    private func onlyDeletes(_ place: Use) -> Bool {
        let mentions = index.files[place.file].mentions
        let purpose = mentions[Self.range(mentions, around: place.line, by: 0)].reduce(into: CodePurpose()) {
            $0.formUnion(CodePurpose($1.meaning))
        }
        return purpose.contains(.upkeep) && !purpose.contains(.writes)
    }

    /// Adds the matches of constants at the lines that use them near a file API.
    func addUses(_ uses: [UInt32: [Use]], to matches: inout [Int: [Match]]) {
        var constants: [UInt32: [Match]] = [:]
        for match in matches.sorted(by: { $0.key < $1.key }).lazy.flatMap(\.value) where match.weight > Self.leastWeight
        {
            let literal = index.files[match.literal.file].literals[match.literal.position]
            guard literal.binding != 0 else { continue }
            for hash in Set([literal.binding, literal.member]) where hash != 0 {
                if constants[hash, default: []].count < 4 { constants[hash, default: []].append(match) }
            }
        }
        for (hash, constants) in constants.sorted(by: { $0.key < $1.key }) {
            guard let all = uses[hash], all.count <= Self.mostUses else { continue }
            for match in constants {
                // A file that has a constant of this name uses its own one.
                let places = all.filter { $0.file == match.literal.file || !declares(hash, in: $0.file) }
                let literal = index.files[match.literal.file].literals[match.literal.position]
                let isMember = literal.member == hash
                let isCommon = !isMember && Self.commonNames.contains(hash)
                for place in places where (place.file, place.line) != (match.literal.file, literal.line) {
                    if isCommon, place.file != match.literal.file { continue }
                    guard matches[place.file, default: []].count < 2 * Self.mostMatches else { continue }
                    var use = match
                    use.weight *= (isMember ? 0.95 : 0.85) * (places.count > 4 ? 0.8 : 1)
                    if onlyDeletes(place) { use.weight *= 0.5 }
                    (use.line, use.isUse) = (place.line, true)
                    matches[place.file, default: []].append(use)
                }
            }
        }
    }

    /// Adds the matches of literals in functions that return a place at the lines of other files that use these functions.
    func addUsesOfFunctions(_ uses: [UInt32: [Use]], to matches: inout [Int: [Match]]) {
        var functions: [UInt32: (file: Int, match: Match)] = [:]
        for (file, matches) in matches.sorted(by: { $0.key < $1.key }) {
            for match in matches where match.weight > Self.leastWeight {
                guard let name = function(of: match, in: file) else { continue }
                if (functions[name]?.match.weight ?? 0) < match.weight { functions[name] = (file, match) }
            }
        }
        for (name, function) in functions.sorted(by: { $0.key < $1.key }) {
            guard let places = uses[name], places.count <= Self.mostUses, !Self.commonNames.contains(name) else {
                continue
            }
            for place in places where place.file != function.file {
                guard matches[place.file, default: []].count < 2 * Self.mostMatches,
                    !index.files[place.file].functions.contains(where: { $0.name == name })
                else { continue }
                var use = function.match
                use.weight *= 0.7
                (use.line, use.isUse, use.isFunction) = (place.line, true, true)
                matches[place.file, default: []].append(use)
            }
        }
    }
}
