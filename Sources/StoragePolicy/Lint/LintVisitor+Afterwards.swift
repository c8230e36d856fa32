internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import Synchronization

extension LintVisitor {
    /// Judges what could be judged only now: a directory that held nothing, and files that lack the flag which the
    /// others like them carry.
    func judgeAfterwards(_ directory: Directory, _ place: LintPlace, _ tally: Tally) {
        if place.profile.asksEmpty, tally.counts.items == 0, !directory.isLocation { judgeEmpty(directory, place) }
        for group in tally.flags?.groups.values.filter(\.isMostlyFlagged) ?? [] {
            judge(group, in: directory, place)
        }
    }

    private func judgeEmpty(_ directory: Directory, _ place: LintPlace) {
        var late = Tally()
        let item = Item(
            name: UnsafeRawBufferPointer(start: nil, count: 0), status: place.status, attributes: [],
            carriesAttributes: true, source: NothingMore())
        judgeLate(
            item, in: directory, place, .emptyDirectory, registered: !place.registry.taken.isEmpty, evidence: nil, &late
        )
        finishLate(late, in: directory, place)
    }

    private func judge(_ group: FlaggedSiblings.Group, in directory: Directory, _ place: LintPlace) {
        var late = Tally()
        for candidate in group.candidates {
            candidate.name.withUnsafeBytes { name in
                let item = Item(
                    name: name, status: candidate.status, attributes: [], carriesAttributes: true,
                    source: NothingMore())
                judgeLate(
                    item, in: directory, place, .flagMissing,
                    registered: place.registry.hasMatch(name, isDirectory: false), evidence: group.evidence, &late)
            }
        }
        // Which of many were kept hangs on the order in which they came, so that none of them is named.
        if group.hasMoreThanCandidates {
            late.groups = late.groups.mapValues { $0.standingFor(items: group.plain, bytes: group.plainBytes) }
        }
        finishLate(late, in: directory, place)
    }

    private func judgeLate(
        _ item: Item, in directory: Directory, _ place: LintPlace, _ signal: Signals, registered: Bool,
        evidence: Evidence?, _ tally: inout Tally
    ) {
        var signals = place.signals.union(.exclusion(directory.exclusion.state)).union(signal)
        signals.formUnion(.of(item.status))
        if registered { signals.formUnion(.registered) }
        if NameShapeTest.isHash(item.name) { signals.formUnion(.hashNamed) }
        signals.formUnion(place.profile.slots(of: item.name, item.status))
        var due: [LintProfile.Due] = []
        place.profile.collectLate(signal, &signals, item.name, &due)
        guard !due.isEmpty else { return }
        var subject = Subject(ItemFacts(item, in: directory, place, signals, policy: policy))
        if let evidence { subject.evidence.append(evidence) }
        put(subject, before: due, own: nil, &tally)
    }

    private func finishLate(_ tally: Tally, in directory: Directory, _ place: LintPlace) {
        report(tally, in: directory, place)
        totals.counts.withLock { counts in
            counts.suppressed += tally.counts.suppressed
            counts.incidents += tally.counts.incidents
        }
    }
}
