internal import BackupRepository
internal import Dispatch
internal import Synchronization

/// Those who restore a batch's items at the same time, each with its own way into the store.
struct RestorationCrew {
    /// The threads of one batch need not be those of the next.
    private final class Member: Sendable {
        let restorer: Mutex<ItemRestorer>

        init(_ restorer: sending ItemRestorer) { self.restorer = Mutex(restorer) }
    }

    private let members: [Member]

    init(_ restoration: Restoration, _ tally: RestorationTally) throws(BackupError) {
        var members: [Member] = []
        for _ in 0..<max(1, min(restoration.threads, ItemRestorer.most)) {
            members.append(
                Member(
                    try ItemRestorer(
                        restoration.store, tally, replacesFiles: restoration.replacesFiles,
                        keepsSetIDBits: restoration.keepsSetIDBits)))
        }
        self.members = members
    }

    /// Has one of them do something.
    func one<Result: Sendable>(_ work: (ItemRestorer) throws(BackupError) -> Result) throws(BackupError) -> Result {
        try members[0].restorer.withLock { restorer throws(BackupError) in try work(restorer) }
    }

    /// Restores all, each a group at a time: two that make names in one directory wait for each other in the kernel.
    func restore(_ groups: [RestorationBatch.Group]) throws(BackupError) {
        let state = Mutex((next: 0, failure: BackupError?.none))
        DispatchQueue.concurrentPerform(iterations: min(members.count, groups.count)) { number in
            while let index = state.withLock({ state -> Int? in
                guard state.failure == nil, state.next < groups.count else { return nil }
                state.next += 1
                return state.next - 1
            }) {
                let group = groups[index]
                do throws(BackupError) {
                    try members[number].restorer.withLock { restorer throws(BackupError) in
                        for entry in group.entries {
                            try restorer.restore(entry, at: group.path(of: entry), in: group.folder)
                        }
                    }
                } catch { state.withLock { $0.failure = $0.failure ?? error } }
            }
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}
