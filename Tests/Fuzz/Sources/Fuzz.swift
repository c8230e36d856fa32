internal import Foundation
internal import PropertyLists

/// What libFuzzer calls with each input, from a main of its own; the environment's FUZZ_TARGET says what is tried.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    switch target {
    case .lists:
        if let graph = try? PropertyListGraph(parsing: bytes) {
            walk(graph.root, depth: 0)
            try? graph.requireUnfolding()
            // What is whole is read the same where broken text would be replaced.
            guard let replaced = try? PropertyListGraph(parsing: bytes, brokenText: .replaced),
                replaced.root.count == graph.root.count
            else { fatalError("a list is refused only where broken text is replaced") }
        } else {
            _ = try? PropertyListGraph(parsing: bytes, brokenText: .replaced)
        }
    case .archives:
        Reading.tryAll(bytes)
    case .graphs:
        var source = GraphSource(bytes)
        if let bytes = try? source.archive().binary() { Reading.tryAll(bytes) }
    case nil:
        print("FUZZ_TARGET must be lists, archives or graphs")
        exit(2)
    }
    return 0
}

/// What is fed with bytes.
private enum Target: String {
    /// The reader of property lists.
    case lists
    /// The decoder of archives, with files.
    case archives
    /// The same with archives that the bytes describe, so that each is well-formed on the outside.
    case graphs
}

private let target = Target(rawValue: ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "")

private func walk(_ value: PropertyListValue, depth: Int) {
    guard depth < 4 else { return }
    for member in (value.members ?? []).prefix(8) { walk(member, depth: depth + 1) }
    for pair in (value.pairs ?? []).prefix(8) {
        _ = value[pair.key]
        walk(pair.value, depth: depth + 1)
    }
}
