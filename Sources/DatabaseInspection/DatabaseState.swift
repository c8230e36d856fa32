internal import FileSystem

/// The existing files of a database with their sizes and times.
struct DatabaseState: Equatable {
    private(set) var files: [(file: DatabaseFile, status: FileStatus)] = []
    /// The total size, or the maximum on overflow.
    var size: UInt64 {
        files.reduce(0) { sum, file in
            let (all, isOver) = sum.addingReportingOverflow(file.status.size)
            return isOver ? .max : all
        }
    }
    var times: [Timestamp] { files.flatMap { [$0.status.modified, $0.status.changed] } }

    init(_ source: some DatabaseSource) {
        for file in DatabaseFile.allCases {
            guard let status = source.status(of: file), status.kind == .file else { continue }
            files.append((file, status))
        }
    }

    static func == (left: DatabaseState, right: DatabaseState) -> Bool {
        left.times == right.times && left.files.map(\.file) == right.files.map(\.file)
            && left.files.map(\.status.size) == right.files.map(\.status.size)
    }
}
