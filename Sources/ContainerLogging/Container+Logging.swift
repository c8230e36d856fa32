public import AppContainer
internal import FileSystem
public import Logging

extension Container {
    /// Returns the container with a logger for its events. A handler of events that it has remains.
    ///
    /// Failures of values in the background are warnings, conflicts are notices, saves of values are debug messages, and
    /// all others are information. Names of files, which may be the user's, and texts of errors are in debug messages
    /// alone: each event whose level is higher also has one, if the logger has this level.
    ///
    /// - Parameter logger: The logger. Its level and its metadata remain.
    /// - Returns: The container. Open caches, values and inboxes with it.
    public func logging(to logger: Logger) -> Container {
        var container = self
        container.eventHandler = { [eventHandler] event in
            eventHandler?(event)
            logger.log(event)
        }
        return container
    }
}

extension Logger {
    func log(_ event: ContainerEvent) {
        let (level, message) = event.text
        var metadata: Metadata = ["event": "\(event.kind.rawValue)", "files": "\(event.files)"]
        if let bytes = event.bytes { metadata["bytes"] = "\(bytes)" }
        if let error = event.error {
            metadata["code"] = "\(error.code)"
            metadata["errno"] = error.errno.map { "\($0)" }
        }
        if level > .debug { log(level: level, message, metadata: metadata) }
        guard logLevel <= .debug else { return }
        metadata["path"] = "\(event.item.description.printable)"
        if let error = event.error { metadata["error"] = "\(error.description.printable)" }
        log(level: .debug, message, metadata: metadata)
    }
}

extension ContainerEvent {
    /// The level and the message without the names of files.
    fileprivate var text: (Logger.Level, Logger.Message) {
        switch kind {
        case .evicted: (.info, "removed entries of a cache")
        case .saved: (.debug, "saved a value")
        case .conflicted: (.notice, "another process has changed a value with unsaved changes")
        case .failed: (.warning, "cannot save or read a value in the background")
        case .downloaded: (.info, "stored a download")
        case .expired: (.info, "removed expired files")
        case .swept: (.info, "removed leftovers of interrupted saves")
        case .recreated: (.info, "made a directory again that was deleted during a save")
        }
    }
}
