internal import ArchiveExtraction
internal import FileSystem
internal import SystemPackage
internal import TextOutput

/// The content of an archive in a private directory.
struct ScratchArchive {
    let scratch: ScratchFolder
    /// True if a missing attribute of an item means that the original has none.
    let carriesAttributes: Bool
    /// Notes for the user, one sentence each.
    let notes: [String]
    /// The parts of the archive that were not extracted as they are, one sentence each.
    let gaps: [String]

    /// Extracts an archive. `shown` is its name in messages.
    init(_ path: FilePath, shown: String) throws(InputError) {
        scratch = try ScratchFolder.forInput()
        let extracted: ExtractedArchive
        do throws(ExtractionError) {
            let folder = scratch.folder
            let interruption = Invocation.current.interruption
            extracted = try interruption.during { () throws(ExtractionError) in
                try ArchiveExtractor().extract(path, into: folder) { interruption.isRequested }
            }
            Host.waitIfTerminating()
        } catch {
            // The handler of the signal ends the process.
            Host.waitIfTerminating()
            throw error.code == .notAnArchive
                ? InputError(
                    "“\(shown)” is neither a directory nor an archive",
                    hint: "Specify the directory that contains Documents, a zip or tar of it, or a device backup.")
                : InputError("“\(shown)”: \(error)")
        }
        carriesAttributes = extracted.carriesAttributes
        notes = Self.notes(on: extracted, shown: shown)
        guard let first = extracted.incidents.first else {
            gaps = []
            return
        }
        let count = extracted.incidentCount
        gaps = [
            "\(Quantity.count(count, "item")) of “\(shown)” \(count == 1 ? "differs" : "differ") from the archive, such as "
                + "\(first)."
        ]
    }

    private static func notes(on extracted: ExtractedArchive, shown: String) -> [String] {
        guard let first = extracted.firstChangedMode else { return [] }
        let count = extracted.changedModes
        return [
            "\(Quantity.count(count, "item")) of “\(shown)” \(count == 1 ? "is" : "are") readable by the owner, which the "
                + "archive does not allow, such as “\(ByteText.escaped(first))”."
        ]
    }
}
