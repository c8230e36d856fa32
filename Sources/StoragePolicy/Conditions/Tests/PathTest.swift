internal import ContainerTree

/// `path: ["Library/SplashBoard/**"]`: the item's path from the container is of one of these forms.
struct PathTest: Test {
    static let key = "path"
    static let cost = Cost.look
    private let globs: [PathGlob]

    init(_ value: YAMLValue) throws(SourceError) { globs = try value.strings().map { PathGlob($0) } }

    func signals(_ slots: inout SignalSlots) -> Signals { [] }

    func holds(for subject: inout Subject) -> Bool {
        let path = subject.directory.path(of: subject.item)
        guard let glob = globs.first(where: { $0.matches(path) }) else { return false }
        subject.note("path", glob.text)
        return true
    }
}
