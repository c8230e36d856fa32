package import FileSystem
internal import SystemPackage

extension ScratchFolder {
    /// Creates a directory in `$TMPDIR` for the content of an input that cannot be read in place: a copy from a device, or
    /// the content of an archive.
    ///
    /// - Throws: `InputError` if the temporary directory cannot be written.
    package static func forInput() throws(InputError) -> ScratchFolder {
        do throws(FileSystemError) {
            return try ScratchFolder(
                named: "sandboxlint-input", in: Invocation.current.temporaryDirectory)
        } catch {
            throw InputError("\(error)", hint: "Set TMPDIR to a directory that you can write.")
        }
    }
}
