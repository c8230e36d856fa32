import AppContainer
import ContainerInputs
import TextOutput

/// The list of the containers in inputs, as text and JSON.
struct InputsText {
    private let inputs: [ListedInput]

    init(_ inputs: [ListedInput]) { self.inputs = inputs }

    /// One block for each app: its identifier, then its containers.
    var text: String {
        var text = ""
        for input in inputs {
            let count = input.apps.reduce(0) { $0 + $1.containers.count }
            text +=
                "\(ByteText.printable(input.source.name)): \(Quantity.count(count, "container")), \(input.kind.rawValue)\n"
            for app in input.apps {
                text += "  \(app.bundleIdentifier.map(Self.shown) ?? "no identifier")\n"
                for container in app.containers {
                    let membership = container.membership == .own ? "" : ", \(Self.phrase(container.membership))"
                    let size = container.size.map {
                        ", \(Quantity.count($0.files, "file")), \(Quantity.bytes($0.bytes))"
                    }
                    text +=
                        "    \(container.role.rawValue)  \(Self.name(of: container))\(membership)\(size ?? "")\n"
                }
            }
        }
        return text
    }

    func json(to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        json.object { json in
            json.field("schema", "sandboxlint-inputs/1")
            json.array("inputs") { json in
                for input in inputs {
                    json.object { json in
                        json.field("input", ByteText.printable(input.source.name))
                        json.field("kind", input.kind.rawValue)
                        json.array("apps") { json in for app in input.apps { json.object { write(app, into: &$0) } } }
                        json.array("notes") { json in
                            for text in input.notes + input.gaps { json.element(ByteText.printable(text)) }
                        }
                    }
                }
            }
        }
        output("\n")
    }

    private func write(_ app: ListedInput.App, into json: inout JSONWriter) {
        json.field("bundleID", app.bundleIdentifier.map(Self.shown))
        json.array("containers") { json in
            for container in app.containers {
                json.object { json in
                    json.field("label", container.label.map { ByteText.printable($0) })
                    json.field("bundleID", container.bundleIdentifier.map(Self.shown))
                    json.field("role", container.role.rawValue)
                    json.field("belongs", container.membership.rawValue)
                    json.field("path", ByteText.escaped(Array(container.relativePath.utf8)))
                    json.field("exclusionEvidence", container.evidence.rawValue)
                    if let size = container.size {
                        json.field("files", size.files)
                        json.field("bytes", size.bytes)
                    }
                }
            }
        }
    }

    /// An identifier is a name of the file system, which may contain anything.
    private static func shown(_ identifier: String) -> String { ByteText.escaped(Array(identifier.utf8)) }

    private static func name(of container: ListedInput.Item) -> String {
        let path = ByteText.escaped(Array(container.relativePath.utf8))
        return [container.bundleIdentifier.map(shown), path.isEmpty ? nil : path].compactMap(\.self).joined(
            separator: "  ")
    }

    /// The reason for which a container counts as one of the app.
    private static func phrase(_ membership: InputContainer.Membership) -> String {
        switch membership {
        case .own: "its own container"
        case .recorded: "by simctl"
        case .bundle: "by the app's bundle"
        case .identifier: "by its identifier"
        case .vendor: "by the beginning of its identifier; no other app here has the same"
        case .unknown: "of an unknown app"
        }
    }
}
