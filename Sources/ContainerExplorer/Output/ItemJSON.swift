internal import AppContainer
package import ContainerTree
internal import FileSystem
package import TextOutput

extension JSONWriter {
    /// Writes the fields of an item. Keys are added in later versions, never changed or removed.
    package mutating func fields(of number: Int, in index: ContainerIndex, now: Int64) {
        let item = index[number]
        field("path", ByteText.escaped(index.path(of: number)))
        field("kind", ItemText.word(for: item.kind))
        field("bytes", item.total.logical)
        field("allocatedBytes", item.total.allocated)
        field("items", item.items)
        field("modified", item.modified)
        field("age", now.subtractingReportingOverflow(item.modified).partialValue)
        field("availability", "\(item.availability)")
        field("permissions", String(item.permissions, radix: 8))
        let location = index.location(of: number)
        object("location") { json in
            json.field("path", location.path)
            json.field("backup", location.backup.rawValue)
            json.field("purge", location.purge.rawValue)
            json.field("visible", location.visibility.rawValue)
            json.field("systemOwned", location.isSystemOwned)
        }
        let backup = index.decision(for: number)
        object("backup") { json in
            json.field("state", backup.state.rawValue)
            json.field("reason", backup.reason.rawValue)
            switch backup.decider.origin {
            case .location(let location):
                json.field("decidedBy", "location")
                json.field("at", location.path)
            case .mark(let mark):
                json.field("decidedBy", mark)
                json.field("at", ByteText.escaped(index.path(of: index.carrier(of: number) ?? number)))
            case .kind(let kind):
                json.field("decidedBy", ItemText.word(for: kind))
                json.field("at", ByteText.escaped(index.path(of: number)))
            case .temporaryFile, .fileSystem, .option:
                json.field("decidedBy", backup.reason == .noAttributes ? "file-system" : backup.reason.rawValue)
                json.field("at", ByteText.escaped(index.path(of: number)))
            }
        }
        field("exclusion", index.exclusion(of: number).rawValue)
        field("provenance", item.maker?.rawValue)
        if let target = index.linkTarget(of: number) { field("target", ByteText.escaped(Array(target))) }
        if item.hasSeveralLinks { field("countedElsewhere", item.isRepeatedLink) }
    }

    /// Writes the items that could not be read.
    package mutating func failures(of index: ContainerIndex) {
        array("notRead") { json in
            for failure in index.failures {
                json.object { json in
                    json.field("path", ByteText.escaped(failure.path))
                    json.field("reason", failure.reason)
                }
            }
        }
    }
}
