internal import ContainerTree

/// What turned out of an item when its directory had been read.
struct Afterwards {
    let signal: Signals
    let evidence: Evidence?
}

extension LintVisitor {
    /// Judges what could be judged only now: a directory that held nothing, and files that lack the flag which the
    /// others like them carry.
    func judgeAfterwards(_ directory: Directory, _ place: LintPlace, _ tally: Tally) {
        if policy.asksEmptyDirectories, tally.counts.items == 0, !directory.isLocation {
            judgeEmpty(directory, place)
        }
        for group in tally.flags.groups.values where group.isMostlyFlagged {
            judge(group, in: directory, place)
        }
    }

    private func judgeEmpty(_ directory: Directory, _ place: LintPlace) {
        var late = Tally()
        let item = Item(
            name: UnsafeRawBufferPointer(start: nil, count: 0), status: place.status, attributes: [],
            carriesAttributes: true, source: PastEntry())
        judge(
            item, in: directory, place, ownLocation: nil, registered: !place.registry.taken.isEmpty, &late,
            as: directory, afterwards: Afterwards(signal: .emptyDirectory, evidence: nil))
        report(late, in: directory, place)
    }

    private func judge(_ group: FlaggedSiblings.Group, in directory: Directory, _ place: LintPlace) {
        var late = Tally()
        for candidate in group.candidates {
            candidate.name.withUnsafeBytes { name in
                let item = Item(
                    name: name, status: candidate.status, attributes: [], carriesAttributes: true, source: PastEntry())
                judge(
                    item, in: directory, place, ownLocation: nil,
                    registered: place.registry.hasMatch(name, isDirectory: false), &late,
                    afterwards: Afterwards(signal: .flagMissing, evidence: group.evidence))
            }
        }
        // Which of many were kept hangs on the order in which they came, so that none of them is named.
        if group.hasMoreThanCandidates {
            late.groups = late.groups.mapValues { $0.standingFor(items: group.plain, bytes: group.plainBytes) }
        }
        report(late, in: directory, place)
    }
}
