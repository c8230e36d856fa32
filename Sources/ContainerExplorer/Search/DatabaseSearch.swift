internal import DatabaseInspection
internal import PropertyLists

/// A search of the tables, columns and values of a database.
struct DatabaseSearch {
    private typealias Row = [(column: String, content: DatabaseValueLocation.Content)]

    private let copy: DatabaseCopy
    private let isCancelled: () -> Bool
    private static let longestName = 128

    init(_ copy: DatabaseCopy, isCancelled: @escaping () -> Bool) {
        (self.copy, self.isCancelled) = (copy, isCancelled)
    }

    /// Searches the database. Returns false if rows or values were skipped.
    func search(into places: inout FoundPlaces) throws(DatabaseReadError) -> Bool {
        for object in try copy.schema() where !object.isInternal && (object.kind != .index && object.kind != .trigger) {
            guard !isCancelled(), !places.isFull else { return true }
            places.addKey(object.name, at: object.name)
            guard places.takesKeys else { continue }
            // A view may refer to tables that are missing.
            for column in (try? copy.columns(of: object.name)) ?? [] {
                places.addKey(column.name, at: "\(object.name).\(column.name)")
            }
        }
        guard places.takesValues else { return true }
        var (table, number, count) = ("", 0, 0)
        var row: Row = []
        var isCut = false
        let tables = Set(try copy.tables().map(\.name))
        let isWhole = try copy.values(blobTables: tables) { value in
            if value.table != table || value.row != number {
                finish(row, table: table, number: number, isCut: &isCut, into: &places)
                (row, table, number) = ([], value.table, value.row)
            }
            row.append((value.column, value.content))
            count += 1
            return !places.isFull && (count & 0xff != 0 || !isCancelled())
        }
        finish(row, table: table, number: number, isCut: &isCut, into: &places)
        return isWhole && !isCut
    }

    /// Searches a row. A value may be a secret by the name of its column, or by another value of the row, as in tables of keys
    /// and values.
    private func finish(
        _ row: Row, table: String, number: Int, isCut: inout Bool, into places: inout FoundPlaces
    ) {
        for (column, content) in row {
            let place = "\(table).\(column) row \(number)"
            func names() -> [String] {
                [column]
                    + row.compactMap { other, content -> String? in
                        guard other != column, case .text(let text) = content, text.utf8.count <= Self.longestName
                        else {
                            return nil
                        }
                        return text
                    }
            }
            switch content {
            case .text(let text): places.addValue(text, named: names(), at: place)
            case .bytes(let bytes) where bytes.starts(with: PropertyListStrings.magic):
                var list = ListSearch(isCancelled: isCancelled)
                _ = list.search(bytes, limit: bytes.count, at: place + " ", into: &places)
                isCut = isCut || list.isCut
            case .bytes(let bytes):
                if let text = DataText.text(bytes) { places.addValue(text, named: names(), at: place) }
            }
        }
    }
}
