package import TextOutput

/// The places that a search has found, as text and JSON.
package struct SearchResults: ExplorerOutput {
    private var hits: [ContentSearch.Hit] = []
    /// The counts.
    package var summary = ContentSearch.Summary()
    private static let most = 100_000

    package init() {}

    /// Adds a place. More than 100,000 are counted only.
    package mutating func add(_ hit: ContentSearch.Hit) { if hits.count < Self.most { hits.append(hit) } }

    package func writeText(in style: Style, to output: (String) -> Void) {
        for hit in hits {
            let path = ByteText.escaped(hit.path)
            output(
                hit.isKey
                    ? "\(path): \(style.dim(hit.place)): key \(hit.excerpt)\n"
                    : "\(path): \(style.dim(hit.place)): \(hit.excerpt)\n")
        }
        if summary.hits > hits.count { output("… and \(Quantity.grouped(summary.hits - hits.count)) more\n") }
    }

    package func write(_ json: inout JSONWriter) {
        json.array("matches") { json in
            for hit in hits {
                json.object { json in
                    json.field("path", ByteText.escaped(hit.path))
                    json.field("place", hit.place)
                    json.field("isKey", hit.isKey)
                    json.field("excerpt", hit.excerpt)
                }
            }
        }
        json.field("matchCount", summary.hits)
        json.field("searchedFiles", summary.files)
        json.field("otherFiles", summary.otherFiles)
        json.array("notSearched") { json in
            for (path, reason) in summary.unread {
                json.object { json in
                    json.field("path", ByteText.escaped(path))
                    json.field("reason", reason)
                }
            }
        }
        json.field("notSearchedCount", summary.unreadCount)
    }
}
