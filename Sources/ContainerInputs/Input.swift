package import AppContainer
internal import ContainerTree
internal import FileSystem
package import SystemPackage

/// What the user specified on the command line: a directory, or an app in a simulator or on a device.
package enum InputSource: Sendable, Hashable {
    case path(String)
    /// An app in the booted simulator.
    case booted(bundleIdentifier: String)
    /// An app on a device, by the identifier or name of the device.
    case device(String, bundleIdentifier: String)

    /// The path of the directory; nil for an app.
    package var path: String? { if case .path(let path) = self { path } else { nil } }

    /// The input for messages, as on the command line.
    package var name: String {
        switch self {
        case .path(let path): path
        case .booted(let bundleIdentifier): bundleIdentifier
        case .device(_, let bundleIdentifier): bundleIdentifier
        }
    }
}

/// A container in an input.
package struct InputContainer: Sendable {
    /// The container.
    package let container: Container
    /// The name for reports; nil for a container that the user specified by its path.
    package let label: String?
    /// Keeps a copy until it is no longer used.
    private let scratch: ScratchFolder?

    init(_ container: Container, label: String?, scratch: ScratchFolder? = nil) {
        (self.container, self.label, self.scratch) = (container, label, scratch)
    }
}

/// The containers of an input.
package struct Input: Sendable {
    package let source: InputSource
    /// The containers: an app's own first, then those of its groups.
    package let containers: [InputContainer]
    /// Notes for the user, one sentence each.
    package let notes: [String]

    /// Opens the containers of an input. An app on a device is copied.
    ///
    /// - Throws: `InputError` if there is no container, or if it cannot be read.
    package init(_ source: InputSource) throws(InputError) {
        self.source = source
        switch source {
        case .path(let path):
            do throws(ContainerError) {
                containers = [InputContainer(try Container.open(FilePath(path)), label: nil)]
            } catch { throw InputError(error) }
            notes = []
        case .booted(let bundleIdentifier):
            (containers, notes) = try Self.booted(bundleIdentifier)
        case .device(let device, let bundleIdentifier):
            (containers, notes) = try Self.copied(bundleIdentifier, from: device)
        }
    }

    private static func booted(_ bundleIdentifier: String) throws(InputError) -> ([InputContainer], [String]) {
        let app = try DeveloperTools().installedApp(bundleIdentifier)
        do throws(ContainerError) {
            let data = try Container.open(app.data, bundleIdentifier: bundleIdentifier)
            var containers = [InputContainer(data, label: bundleIdentifier)]
            for group in app.groups {
                let container = try Container.open(known: group.path, bundleIdentifier: group.identifier, kind: .group)
                containers.append(InputContainer(container, label: group.identifier))
            }
            return (containers, app.notes)
        } catch { throw InputError(error) }
    }

    private static func copied(
        _ bundleIdentifier: String, from device: String
    ) throws(InputError) -> ([InputContainer], [String]) {
        let tools = try DeveloperTools()
        let scratch = try ScratchFolder()
        try tools.copyContainer(of: bundleIdentifier, onDevice: device, to: scratch.path)
        guard var container = copy(in: scratch, of: bundleIdentifier) else {
            throw InputError(
                "xcrun devicectl copied no container of “\(bundleIdentifier)” from “\(device)”",
                hint: "Launch the app once, or download the container in Xcode (Devices and Simulators) and specify it."
            )
        }
        container.keepsAttributes = MarkSearch.hasMarks(container)
        return ([InputContainer(container, label: bundleIdentifier, scratch: scratch)], [])
    }

    /// The copied container: the directory itself, or one in it.
    private static func copy(in scratch: ScratchFolder, of bundleIdentifier: String) -> Container? {
        if let container = try? Container.open(scratch.path, bundleIdentifier: bundleIdentifier) { return container }
        let names = (try? scratch.folder.names()) ?? []
        return names.lazy.compactMap { name in
            try? Container.open(scratch.path.appending(name.components), bundleIdentifier: bundleIdentifier)
        }.first
    }
}

/// A search for exclusion marks in a tree.
private final class MarkSearch: TreeVisitor {
    private let isFound = AtomicFlag(false)

    /// Returns true if an item of the container has a mark that Apple's backups honor.
    static func hasMarks(_ container: Container) -> Bool {
        let search = MarkSearch()
        try? DirectoryTree(container).visit(search, threads: 2)
        return search.isFound.value
    }

    private func look(at item: Item) { if !item.marks.isEmpty { isFound.set(true) } }

    func root(_ item: Item, _ directory: Directory) { look(at: item) }
    func begin(_ directory: Directory, _ context: Void) {}
    func visit(_ item: Item, in directory: Directory, _ context: Void, _ accumulator: inout Void) { look(at: item) }
    func enter(
        _ item: Item, _ subdirectory: Directory, in directory: Directory, _ context: Void, _ accumulator: inout Void
    ) { look(at: item) }
    func end(_ directory: Directory, _ context: Void, _ accumulator: Void) {}
    // The lint reports what cannot be read.
    func failed(_ failure: WalkFailure) {}
}
