internal import ContainerTree
internal import TextOutput

/// `link: outside`: a symbolic link that leads out of the container, or would after the container has moved.
struct LinkTest: Test {
    static let key = "link"
    static let cost = Cost.look

    private enum Word: String, CaseIterable { case outside }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("target", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .link }

    func holds(for subject: inout Subject) -> Bool {
        guard let target = subject.item.source.linkTarget() else { return false }
        guard leadsOut(target, fromDepth: subject.directory.depth) else { return false }
        subject.note("target", ByteText.escaped(target))
        return true
    }

    private func leadsOut(_ target: [UInt8], fromDepth start: Int) -> Bool {
        guard target.first != UInt8(ascii: "/") else { return true }
        var depth = start
        for component in target.split(separator: UInt8(ascii: "/")) {
            if component.elementsEqual("..".utf8) {
                depth -= 1
            } else if !component.elementsEqual(".".utf8) {
                depth += 1
            }
            if depth < 0 { return true }
        }
        return false
    }
}
