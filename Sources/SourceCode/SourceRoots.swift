internal import FileSystem
package import SystemPackage
internal import TextOutput

/// The directories that contain the source code of an app.
package struct SourceRoots: Sendable, Hashable {
    /// A directory with the names of its files in output.
    package struct Root: Sendable, Hashable {
        /// The physical path.
        package let path: FilePath
        /// The bytes before the paths of its files: its path in the repository of the working directory, or its name.
        /// No path of this machine.
        package let prefix: [UInt8]
        /// The directory as specified, for scripts; empty for the default and for the working directory.
        package let specified: String
    }

    package let roots: [Root]
    /// The selected directories that cannot be opened, as specified.
    package let missing: [String]
    /// The selected directories that are an input or in one, which are not read.
    package let contained: [String]
    /// True if the user selected the directories.
    package let isSelected: Bool

    /// The word that selects no directory.
    package static let none = "none"

    /// Creates the roots: the selected directories, else the git work tree that contains the configuration, else that
    /// of the working directory. None of them is an input or in one.
    ///
    /// - Parameters:
    ///   - selected: Directories, or `none` alone; nil for the default.
    ///   - configuration: The path of the configuration, if there is one.
    ///   - inputs: The inputs of the run.
    package init(_ selected: [String]?, configuration: String?, besides inputs: [String]) {
        let working = Invocation.current.workingDirectory.path
        let current = working.physical(from: working)
        let inputs = inputs.map { FilePath($0).physical(from: working) }
        func isInside(_ path: FilePath) -> Bool { inputs.contains { path.starts(with: $0) } }
        isSelected = selected != nil
        guard let selected else {
            let starts = [configuration.map { FilePath($0).physical(from: working).removingLastComponent() }, current]
            let tree = starts.lazy.compactMap { $0?.workTree }.first { !isInside($0) }
            (roots, missing, contained) = (tree.map { [Root(path: $0, prefix: [], specified: "")] } ?? [], [], [])
            return
        }
        guard selected != [Self.none] else {
            (roots, missing, contained) = ([], [], [])
            return
        }
        let top = current.workTree ?? current
        var (roots, missing, contained): ([Root], [String], [String]) = ([], [], [])
        for text in selected {
            let path = FilePath(text).physical(from: working)
            guard !isInside(path) else {
                contained.append(text)
                continue
            }
            guard (try? Folder(opening: path)) != nil else {
                missing.append(text)
                continue
            }
            // Files of a directory in another one are read once.
            guard !roots.contains(where: { path.starts(with: $0.path) }) else { continue }
            roots.removeAll { $0.path.starts(with: path) }
            roots.append(Root(path: path, prefix: Self.prefix(of: path, in: top), specified: text))
        }
        (self.roots, self.missing, self.contained) = (roots, missing, contained)
    }

    /// The reason for which a selected directory is not read, as a message for the user; nil if all are.
    package var problem: String? {
        if let directory = contained.first {
            return
                "“\(ByteText.printable(directory))” is inside the container. Specify the directory of the source code."
        }
        return missing.first.map { "The source root “\(ByteText.printable($0))” cannot be opened." }
    }

    private static func prefix(of path: FilePath, in top: FilePath) -> [UInt8] {
        guard path != top else { return [] }
        let slash = UInt8(ascii: "/")
        guard !top.components.isEmpty, path.starts(with: top) else {
            return (path.lastComponent.map { Array($0.string.utf8) } ?? []) + [slash]
        }
        return Array(path.bytes.dropFirst(top.bytes.count + 1)) + [slash]
    }
}
