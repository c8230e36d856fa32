extension Container {
    /// The extended attribute of a container in which a simulated device records the state of the app. It describes a
    /// process, not the data, so backups leave it out.
    package static let deviceStateAttribute = "appcontainer.device-state"
}
