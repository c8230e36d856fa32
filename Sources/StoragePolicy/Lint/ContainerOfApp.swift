package import AppContainer
internal import TextOutput

/// A container of a run, with its identity in the report.
package struct ContainerOfApp: Sendable {
    package let container: Container
    /// The name in evidence; nil for a container that was specified itself.
    let name: String?
    /// The owner in fingerprints and baselines, if the bundle identifier is that of several containers of the run.
    let owner: String?
    /// True if the container was found in an input, so that a configured identifier applies only if it records none.
    var isFound: Bool { name != nil }

    package init(_ container: Container, name: String? = nil, owner: String? = nil) {
        (self.container, self.name, self.owner) = (container, name, owner)
    }
}
