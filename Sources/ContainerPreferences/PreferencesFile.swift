internal import AppContainer
internal import FileSystem
internal import SystemPackage

/// The property list file of preferences.
struct PreferencesFile: PreferencesStorage {
    /// The size in bytes from which Apple's systems refuse to store preferences. Source: "Attempting to store >=
    /// 4194304 bytes of data in CFPreferences", j3k0/cordova-plugin-openwith#79.
    static let refusedSize = 4_194_304
    /// The maximum size for reading. A file beyond `refusedSize` can be read and reduced.
    static let readLimit = 16 << 20

    let folder: Folder
    let path: FilePath
    var durabilityLimit: Durability { .full }
    var isLocked: Bool { true }

    /// The identification of a state of the file.
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

    /// A state of the file that was read, or its absence.
    struct Reading {
        let stamp: Stamp?
        /// Kept open, because the inode of an open file is not reused: a new file never has the same stamp.
        private let file: OpenFile?

        init(stamp: Stamp? = nil, file: OpenFile? = nil) {
            self.stamp = stamp
            self.file = file
        }
    }

    /// Returns the values of the file, or nil if it has not changed since `last`.
    func read(unless last: Reading?) throws(PreferencesError) -> (Reading, [String: PreferenceValue])? {
        let status: FileStatus?
        do throws(FileSystemError) { status = try folder.statusIfPresent(path) } catch { throw PreferencesError(error) }
        guard let status else { return last != nil && last?.stamp == nil ? nil : (Reading(), [:]) }
        if let last, last.stamp == Stamp(status) { return nil }
        guard status.kind == .file else {
            throw PreferencesError(
                .notAFile, path,
                "“\(path)” is a link, a directory or a special file. It is unchanged. Move it away to start with a new file."
            )
        }
        let (file, stamp, bytes) = try content()
        do throws(UnfitForPreferences) {
            return (Reading(stamp: stamp, file: file), try PreferenceValue.dictionary(reading: bytes))
        } catch { throw .damaged(path, reason: error.reason) }
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
                // If another program writes the file in place, it is read again. Files of this library are always
                // complete.
                if (stamp.size, stamp.modified) == (after.size, after.modified) || triesLeft == 0 {
                    return (file, stamp, bytes)
                }
            }
        } catch {
            guard error.errno == .fileTooLarge else { throw PreferencesError(error) }
            throw PreferencesError(
                .tooLarge, path, errno: error.errno,
                "“\(path)” has more than \(Self.readLimit) bytes. It is unchanged. "
                    + "Move it away, and store large values in separate files.")
        }
    }

    /// Returns the bytes of values within the limits for preferences.
    static func bytes(of values: [String: PreferenceValue], _ path: FilePath) throws(PreferencesError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(UnfitForPreferences) { bytes = try PreferenceValue.bytes(of: values) } catch {
            throw PreferencesError(
                error.isTooLarge ? .tooLarge : .unsupported, path,
                "The values for “\(path)” cannot be written: \(error.reason). Nothing on disk has changed. "
                    + "Store such a value in a separate file.")
        }
        guard bytes.count < refusedSize else {
            throw PreferencesError(
                .tooLarge, path,
                "The values for “\(path)” have \(bytes.count) bytes, and preferences must have fewer than "
                    + "\(refusedSize). Nothing on disk has changed. Store large values in separate files.")
        }
        return bytes
    }

    func watch(onChange: @escaping @Sendable () -> Void) -> (any PreferencesWatch)? {
        try? FileWatch(path, in: folder, onChange: onChange)
    }

    /// Replaces the file. A new file is readable by its owner only (0600).
    func write(
        _ values: [String: PreferenceValue], replacing old: [String: PreferenceValue], durability: Durability
    ) throws(PreferencesError) {
        let bytes = try Self.bytes(of: values, path)
        do throws(AtomicWriteError) {
            let staged = try StagedFile(
                AtomicWrite(durability: durability.level), for: path, in: folder, isPrivate: true)
            do throws(FileSystemError) { try staged.file.write(bytes) } catch { throw staged.discard(after: error) }
            try staged.seal()
            try staged.publish()
            try staged.finishReplacement()
        } catch { throw PreferencesError(error) }
    }
}
