import AppContainer
import FileSystem
import SystemPackage

/// The differences from the promise after a power cut.
struct Fault: CustomStringConvertible {
    enum Kind { case loss, tear }
    let kind: Kind
    let description: String
}

/// The content of a container on a mounted copy.
struct Found {
    private(set) var entries: [String: Entry] = [:]

    /// Reads everything except temporary files of interrupted saves.
    ///
    /// - Throws: `FileSystemError`. After a replay of the journal every file must be readable.
    init(in directory: FilePath) throws(FileSystemError) {
        try add(Folder(opening: directory), "")
    }

    private mutating func add(_ folder: Folder, _ prefix: String) throws(FileSystemError) {
        for name in try folder.names() where !name.string.hasPrefix(AtomicWrite.stagingPrefix) {
            let file = try folder.open(name, followingLinks: false)
            let flag = try file.attribute(ExclusionMark.modern.rawValue)
            var entry = Entry(isExcluded: flag == ExclusionMark.value)
            if try folder.status(name).kind == .directory {
                try add(folder.openFolder(name), "\(prefix)\(name)/")
            } else {
                entry.content = try file.contents()
            }
            entries["\(prefix)\(name)"] = entry
        }
    }
}

extension Promise {
    /// Returns the violations of the promise. `given` contains each content that a name ever had.
    func faults(in found: [String: Entry], given: [String: [[UInt8]]]) -> [Fault] {
        var faults: [Fault] = []
        let inFlight = inFlight
        for (name, allowed) in settled {
            let possible = inFlight.contains(name) ? underway.flatMap { $0[name] ?? allowed } : allowed
            guard !possible.contains(found[name]) else { continue }
            faults.append(Self.fault(name, found[name], promised: possible.compactMap { $0 }, given[name] ?? []))
        }
        let isWhole = underway.contains { alternative in
            inFlight.allSatisfy { (alternative[$0] ?? settled[$0] ?? [nil]).contains(found[$0]) }
        }
        if faults.isEmpty, !underway.isEmpty, !isWhole {
            faults.append(Fault(kind: .tear, description: "the step is neither done nor undone"))
        }
        // A directory may exist for a file that does not exist yet.
        for (name, entry) in found where entry.content != nil && settled[name] == nil {
            faults.append(Fault(kind: .tear, description: "“\(name)” is there, which no step made"))
        }
        return faults
    }

    private static func fault(_ name: String, _ found: Entry?, promised: [Entry], _ given: [[UInt8]]) -> Fault {
        guard let found else { return Fault(kind: .loss, description: "“\(name)” is gone") }
        if let content = found.content, !given.contains(content) {
            return Fault(
                kind: .tear, description: "“\(name)” has \(content.count) B that no step gave it")
        }
        if promised.contains(where: { $0.content == found.content }) {
            let state = found.isExcluded ? "has a flag that no step gave it" : "has lost its flag"
            return Fault(kind: found.isExcluded ? .tear : .loss, description: "“\(name)” \(state)")
        }
        return Fault(kind: .loss, description: "“\(name)” is as it was before")
    }
}
