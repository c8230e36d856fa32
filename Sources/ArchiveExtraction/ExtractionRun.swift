internal import FileSystem
internal import SystemPackage

/// The state of one extraction.
struct ExtractionRun {
    private let stream: ArchiveStream
    private let folder: ExtractionFolder
    private var budget: ExtractionBudget
    private var result = ExtractedArchive()
    /// The AppleDouble files, which are extracted as files and applied at the end: they may precede or follow the file that
    /// they describe.
    private var appleDoubles: [EntryPath] = []

    private var limits: ExtractionLimits { budget.limits }

    init(_ stream: ArchiveStream, folder: Folder, budget: ExtractionBudget) {
        (self.stream, self.folder) = (stream, ExtractionFolder(folder, limits: budget.limits))
        self.budget = budget
    }

    /// Extracts an entry, or reports the reason for which it is skipped.
    mutating func extract(_ entry: ArchiveStream.Entry) throws(ExtractionError) {
        try budget.addEntry()
        let name = entry.path ?? []
        try reporting(name) { run throws(PlacementError) in
            let path: EntryPath
            do throws(ExtractionIncident.Reason) { path = try EntryPath(name, limits: run.limits) } catch {
                throw .skipped(error)
            }
            try run.place(entry, path: path)
            if let warning = entry.warning { run.report(name, reason: .damagedHeader(warning)) }
            for attribute in entry.attributes.refused { run.report(name, reason: .badAttribute(attribute)) }
        }
        // The rest of the content is read here and not by libarchive, because it counts.
        var damage: String?
        while damage == nil,
            try stream.readBlock(
                damage: &damage,
                { block, _ throws(ExtractionError) in
                    try budget.addContent(block.count)
                })
        {}
    }

    /// Applies the AppleDouble files, sets the times of directories, and returns the result.
    mutating func finish() throws(ExtractionError) -> ExtractedArchive {
        for path in appleDoubles {
            try budget.checkTime()
            try reporting(path.bytes) { run throws(PlacementError) in try run.applyAppleDouble(path) }
        }
        try reporting(EntryPath.sequester) { run throws(PlacementError) in
            if !run.appleDoubles.isEmpty { try run.folder.removeEmptyTree(FilePath(bytes: EntryPath.sequester)) }
        }
        try folder.setTimes(budget)
        guard budget.entries > 0 else {
            throw ExtractionError(.notAnArchive, reason: "the file has no entries of an archive")
        }
        result.format = stream.format
        result.contentSize = budget.content
        return result
    }

    private mutating func report(_ path: [UInt8], reason: ExtractionIncident.Reason) {
        result.report(ExtractionIncident(path, reason: reason), limit: limits.incidents)
    }

    /// Runs the body and reports the reason if it skips the entry.
    private mutating func reporting(
        _ path: [UInt8], body: (inout Self) throws(PlacementError) -> Void
    ) throws(ExtractionError) {
        do throws(PlacementError) { try body(&self) } catch {
            switch error {
            case .skipped(let reason): report(path, reason: reason)
            case .stopped(let error): throw error
            }
        }
    }

    private mutating func place(_ entry: ArchiveStream.Entry, path: EntryPath) throws(PlacementError) {
        guard !path.isRoot || entry.kind == .directory else { throw .skipped(.noName) }
        switch entry.kind {
        case .file: try placeFile(entry, path: path)
        case .directory:
            let directory = try folder.makeDirectory(path, modified: entry.modified)
            setAttributes(entry.attributes, of: directory, path: path, spelling: .pax)
            // The folder itself remains private.
            if !path.isRoot { setMode(entry.permissions, adding: 0o700, to: directory, path: path) }
            result.directories += 1
        case .symbolicLink:
            guard let target = entry.target, !target.isEmpty, target.count <= limits.pathLength else {
                throw .skipped(.badLinkTarget)
            }
            try folder.createSymbolicLink(path, to: target, modified: entry.modified)
            result.symbolicLinks += 1
        case .hardLink:
            guard let bytes = entry.target, let target = try? EntryPath(bytes, limits: limits) else {
                throw .skipped(.noLinkTarget)
            }
            try folder.createHardLink(path, to: target)
            result.files += 1
        case .other: throw .skipped(.unsupportedKind)
        }
    }

    /// Sets the mode, with the bits that the owner needs to read and remove the item. A file system without modes is left
    /// alone.
    private mutating func setMode(_ permissions: UInt16, adding needed: UInt16, to file: OpenFile, path: EntryPath) {
        try? file.setPermissions(permissions & 0o777 | needed)
        guard permissions & needed != needed else { return }
        result.changedModes += 1
        result.firstChangedMode = result.firstChangedMode ?? path.bytes
    }

    private mutating func placeFile(_ entry: ArchiveStream.Entry, path: EntryPath) throws(PlacementError) {
        let file = try folder.createFile(path)
        var damage: String?
        var (end, start): (UInt64, [UInt8]) = (0, [])
        do throws(ExtractionError) {
            while damage == nil,
                try stream.readBlock(
                    damage: &damage,
                    { block, offset throws(ExtractionError) in
                        try budget.addContent(block.count, hole: offset > end ? offset - end : 0)
                        do throws(FileSystemError) { try file.write(block, at: offset) } catch {
                            throw ExtractionError(error)
                        }
                        if offset == 0 { start = Array(block.prefix(8)) }
                        end = offset + UInt64(block.count)
                    })
            {}
            if let size = entry.size, size > end, damage == nil {
                // A sparse file that ends with a hole.
                try budget.addContent(0, hole: size - end)
                do throws(FileSystemError) { try file.setSize(size) } catch { throw ExtractionError(error) }
            }
        } catch { throw .stopped(error) }
        if let damage {
            try folder.removeFile(path)
            throw .skipped(.damagedContent(damage))
        }
        setAttributes(entry.attributes, of: file, path: path, spelling: .pax)
        setMode(entry.permissions, adding: 0o400, to: file, path: path)
        if let modified = entry.modified { try? file.setTimes(accessed: modified, modified: modified) }
        do throws(FileSystemError) { try file.close() } catch { throw PlacementError(error) }
        result.files += 1
        if path.appleDoubleBase != nil, AppleDouble.isStart(start) {
            try folder.record(path)
            appleDoubles.append(path)
        }
    }

    private mutating func setAttributes(
        _ attributes: EntryAttributes, of file: OpenFile, path: EntryPath,
        spelling: ExtractedArchive.AttributeSpelling
    ) {
        guard !attributes.values.isEmpty else { return }
        result.spellings.insert(spelling)
        for (name, value) in attributes.values where result.storesAttributes {
            do throws(FileSystemError) {
                try file.setAttribute(name, value: value)
                result.attributes += 1
            } catch {
                if error.errno == .notSupported || error.errno == .notSupportedOnSocket {
                    result.storesAttributes = false
                } else {
                    report(path.bytes, reason: .attributeNotStored(name))
                }
            }
        }
    }

    /// Sets the attributes of an AppleDouble file, and removes it. It remains if it describes no extracted entry.
    private mutating func applyAppleDouble(_ path: EntryPath) throws(PlacementError) {
        guard let base = path.appleDoubleBase, let kind = try folder.kind(of: base), let file = try folder.open(path)
        else { return }
        let contents: AppleDouble
        do {
            contents = try AppleDouble(
                parsing: file.read(upTo: limits.appleDoubleSize), fileSize: file.status().size,
                mostAttributes: limits.attributes)
        } catch let damage as AppleDouble.Damage {
            throw .skipped(.damagedAppleDouble(damage.reason))
        } catch { throw .skipped(.damagedAppleDouble("\(error)")) }
        result.spellings.insert(.appleDouble)
        // A link has no attributes of its own on Linux, and the exclusion of a link has no effect.
        if kind == .file || kind == .directory, let target = try folder.open(base) {
            let attributes = EntryAttributes(contents, limits: limits)
            let permissions = try? target.status().permissions
            // The kernel checks the mode, not the descriptor.
            if let permissions, permissions & 0o200 == 0 { try? target.setPermissions(permissions | 0o200) }
            setAttributes(attributes, of: target, path: base, spelling: .appleDouble)
            if let permissions, permissions & 0o200 == 0 { try? target.setPermissions(permissions) }
            for name in attributes.refused { report(base.bytes, reason: .badAttribute(name)) }
            if contents.resourceForkSize > AppleDouble.emptyForkSize { report(base.bytes, reason: .resourceFork) }
        }
        try folder.removeFile(path)
        result.files -= 1
    }
}
