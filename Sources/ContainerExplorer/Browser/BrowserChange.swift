internal import AppContainer
internal import FileSystem
internal import SystemPackage
internal import TextOutput

/// A change of the container, item by item.
struct BrowserChange {
    private let request: BrowserRequest
    private let container: Container

    init(_ request: BrowserRequest, in container: Container) {
        self.request = request
        self.container = container
    }

    /// Runs the change. Returns the result as a text, and true if it failed.
    func run() -> (String, isError: Bool) {
        switch request {
        case .delete(let paths): delete(paths)
        case .exclude(let paths):
            change(paths, participle: "excluded from backup") { path throws(ContainerError) in
                try container.excludeFromBackup(path)
            }
        case .include(let paths):
            change(paths, participle: "included in backups again") { path throws(ContainerError) in
                try container.includeInBackup(path)
            }
        case .quit, .refresh, .redraw: ("", false)
        }
    }

    private func change(
        _ paths: [[UInt8]], participle: String, _ body: (ContainerPath) throws(ContainerError) -> Void
    ) -> (String, isError: Bool) {
        for (count, path) in paths.enumerated() {
            do throws(ContainerError) { try body(container.containerPath(FilePath(bytes: path))) } catch {
                return ("\(error)" + Self.remark(count, of: paths.count, participle: participle), true)
            }
        }
        return (Self.summary(paths, participle: participle), false)
    }

    private func delete(_ paths: [[UInt8]]) -> (String, isError: Bool) {
        for (count, path) in paths.enumerated() {
            let item = container.containerPath(FilePath(bytes: path))
            do throws(ContainerError) { try container.remove(item) } catch {
                guard let rest = try? container.usage(of: item, naming: 0).all else {
                    return ("\(error)" + Self.remark(count, of: paths.count, participle: "deleted"), true)
                }
                let size = "\(Quantity.count(rest.items, "file")), \(Quantity.bytes(rest.logical))"
                return (
                    "“\(ByteText.escaped(path))” remains with \(size): \(error)"
                        + Self.remark(count, of: paths.count, participle: "deleted"), true
                )
            }
        }
        return (Self.summary(paths, participle: "deleted"), false)
    }

    private static func summary(_ paths: [[UInt8]], participle: String) -> String {
        guard paths.count == 1, let path = paths.first else {
            return "\(Quantity.count(paths.count, "item")) \(participle)."
        }
        return "“\(ByteText.escaped(path))” \(participle)."
    }

    /// The progress of a change of several items before a failure.
    private static func remark(_ count: Int, of all: Int, participle: String) -> String {
        all == 1 ? "" : " Before that, \(count) of \(all) items were \(participle); the others are unchanged."
    }
}
