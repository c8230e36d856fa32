internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PropertyLists
internal import SystemPackage

/// A search for references that became invalid, in the links and property lists of a container.
struct ReferenceSearch: ItemVisitor {
    /// The search for references to the container as it was before the event.
    let references: ContainerReferences
    /// The container after the event.
    let container: Container
    /// Returns true if the reference was valid before the event and is not any longer.
    let isDangling: @Sendable (ContainerReference) -> Bool
    let found = Found()

    /// The maximum number of references that are kept.
    static let most = 10_000
    /// The maximum size of a property list that is read.
    private static let largest = 16 << 20

    /// The references found so far.
    final class Found: Sendable {
        private struct State {
            var references: [DanglingReference] = []
            var count = 0
        }
        private let state = LockedValue(State())

        fileprivate func add(_ reference: DanglingReference) {
            state.withLock { state in
                state.count += 1
                state.references.append(reference)
                // The first by path are kept, independent of the order of arrival.
                if state.references.count >= 2 * ReferenceSearch.most {
                    state.references = Self.first(state.references)
                }
            }
        }

        /// The references in order, and the number of all.
        var sorted: (references: [DanglingReference], count: Int) {
            state.withLock { (Self.first($0.references), $0.count) }
        }

        private static func first(_ references: [DanglingReference]) -> [DanglingReference] {
            Array(
                references.sorted { order(of: $0).lexicographicallyPrecedes(order(of: $1)) }.prefix(
                    ReferenceSearch.most))
        }

        /// The file, the key and the target, separated by the byte that no name contains.
        private static func order(of reference: DanglingReference) -> [UInt8] {
            reference.file.bytes + [0] + (reference.key ?? "").utf8 + [0] + reference.target.bytes
        }
    }

    func root(_ item: Item, directory: Directory) {}
    func begin(_ directory: Directory, context: Void) {}
    func end(_ directory: Directory, context: Void, accumulator: Void) {}
    // An item that cannot be read is reported by the event.
    func failed(_ failure: WalkFailure) {}

    func enter(
        _ item: Item, subdirectory: Directory, in directory: Directory, context: Void, into accumulator: inout Void
    ) {}

    func visit(_ item: Item, in directory: Directory, context: Void, into accumulator: inout Void) {
        let file = FilePath(bytes: directory.path(of: item))
        switch item.status.kind {
        case .symbolicLink:
            guard let target = item.entry.linkTarget() else { return }
            let invalid = references.references(inLink: target, of: directory.path).first(where: isDangling)
            if let invalid { add(invalid, in: file, key: nil) }
        case .file:
            // `tmp/a` and the frame of a list need more bytes.
            guard item.status.size > 12, item.status.size <= UInt64(Self.largest),
                let start = item.entry.bytes(8, at: 0), PropertyListStrings.isPossible(start),
                let bytes = item.entry.bytes(Int(item.status.size), at: 0)
            else { return }
            PropertyListStrings.visit(bytes, limit: Self.largest) { text, key in
                let invalid = references.references(in: text).first(where: isDangling)
                if let invalid { add(invalid, in: file, key: key()) }
            }
        default: return
        }
    }

    private func add(_ reference: ContainerReference, in file: FilePath, key: String?) {
        found.add(
            DanglingReference(
                file: file, key: key, target: FilePath(bytes: reference.path), isAbsolute: reference.isAbsolute))
    }
}
