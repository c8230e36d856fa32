internal import AppContainer
internal import FileSystem
internal import SystemPackage

/// The property list on disk.
struct PreferencesFile: Sendable {
    /// What Apple's systems refuse to store: as many bytes, or more.
    /// Source: "Attempting to store >= 4194304 bytes of data in CFPreferences", j3k0/cordova-plugin-openwith#79.
    static let refusedSize = 4_194_304
    /// A file that others let grow beyond that can still be read, and made smaller.
    static let readLimit = 16 << 20

    let folder: Folder
    let path: FilePath

    /// What tells one state of the file from another.
    struct Stamp: Equatable {
        let device: UInt64
        let inode: UInt64
        let size: UInt64
        let modified: Timestamp
        let changed: Timestamp

        init(_ status: FileStatus) {
            (device, inode) = status.identity
            (size, modified, changed) = (status.size, status.modified, status.changed)
        }
    }

    /// A state of the file that was read, or that there was none.
    struct Reading {
        let stamp: Stamp?
        /// Kept open: the inode of an open file goes to no other, so that a new file never looks like this one.
        private let file: OpenFile?

        init(stamp: Stamp? = nil, file: OpenFile? = nil) {
            self.stamp = stamp
            self.file = file
        }
    }

    /// What the file holds; nil where it is still what `last` says.
    func read(unless last: Reading?) throws(PreferencesError) -> (Reading, [String: PreferenceValue])? {
        let status: FileStatus?
        do throws(FileSystemError) { status = try folder.statusIfPresent(path) } catch { throw PreferencesError(error) }
        guard let status else { return last != nil && last?.stamp == nil ? nil : (Reading(), [:]) }
        if let last, last.stamp == Stamp(status) { return nil }
        guard status.kind == .file else {
            throw PreferencesError(
                .notAFile, path,
                "“\(path)” is a link, a directory or a special file. It is left as it is. Move it away to start anew.")
        }
        let (file, stamp, bytes) = try content()
        do throws(UnfitForPreferences) {
            return (Reading(stamp: stamp, file: file), try PreferenceValue.dictionary(reading: bytes))
        } catch { throw .damaged(path, error.reason) }
    }

    private func content() throws(PreferencesError) -> (OpenFile, Stamp, [UInt8]) {
        do throws(FileSystemError) {
            var triesLeft = 4
            while true {
                let file = try folder.open(path, followingLinks: false)
                let stamp = Stamp(try file.status())
                let bytes = try file.contents(limit: Self.readLimit)
                let after = Stamp(try file.status())
                triesLeft -= 1
                // A file that another program writes in place is read once more; ours are whole at any time.
                if (stamp.size, stamp.modified) == (after.size, after.modified) || triesLeft == 0 {
                    return (file, stamp, bytes)
                }
            }
        } catch {
            guard error.errno == .fileTooLarge else { throw PreferencesError(error) }
            throw PreferencesError(
                .tooLarge, path, errno: error.errno,
                "“\(path)” has more than the \(Self.readLimit) bytes that are read. It is left as it is. "
                    + "Move it away, and keep large values in files of their own.")
        }
    }

    /// Replaces the file; a new one is its owner's alone (0600).
    func write(_ values: [String: PreferenceValue], durability: Durability) throws(PreferencesError) {
        let bytes: [UInt8]
        do throws(UnfitForPreferences) { bytes = try PreferenceValue.bytes(of: values) } catch {
            throw PreferencesError(
                error.isTooLarge ? .tooLarge : .unsupported, path,
                "The values for “\(path)” cannot be written: \(error.reason). Nothing on disk has changed. "
                    + "Keep such a value in a file of its own.")
        }
        guard bytes.count < Self.refusedSize else {
            throw PreferencesError(
                .tooLarge, path,
                "The values for “\(path)” take \(bytes.count) bytes, and preferences must stay under "
                    + "\(Self.refusedSize). Nothing on disk has changed. Keep large values in files of their own.")
        }
        do throws(ReplaceError) {
            let staged = try StagedFile(Replace(durability: durability.level), for: path, in: folder, isPrivate: true)
            do throws(FileSystemError) { try staged.file.write(bytes) } catch { throw staged.discard(after: error) }
            try staged.seal()
            try staged.publish()
            try staged.settle()
        } catch { throw PreferencesError(error) }
    }
}
