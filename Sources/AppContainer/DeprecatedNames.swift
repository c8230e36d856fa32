// Names of version 0.1, kept for one version.

/// The number and size of the files in a container.
@available(*, deprecated, renamed: "DiskUsage")
public typealias Usage = DiskUsage

extension DiskUsage.Item {
    /// The path of the file.
    @available(*, deprecated, renamed: "path")
    public var place: ContainerPath { path }
}

extension ContentKind {
    /// Returns the path of a file of this kind.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    @available(*, deprecated, renamed: "path(named:)")
    public func place(named name: String) throws(ContainerError) -> ContainerPath { try path(named: name) }
}

extension BatchError {
    /// The files that are saved durably.
    @available(*, deprecated, renamed: "saved")
    public var landed: [ContainerPath] { saved }
    /// The files that are visible and complete but may not survive a power loss.
    @available(*, deprecated, renamed: "uncertain")
    public var unsure: [ContainerPath] { uncertain }
    /// The files that are unchanged.
    @available(*, deprecated, renamed: "notSaved")
    public var notLanded: [ContainerPath] { notSaved }
}
