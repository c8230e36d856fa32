public import Foundation
public import SystemPackage

// Async versions of the blocking calls of the same names. See Container+AsyncSave.
extension Container {
    /// Opens a log to which lines are added. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func appender(
        to item: ContainerPath, permissions: FilePermissions? = nil, maximumSize: UInt64? = nil,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) async throws(ContainerError) -> Appender {
        try await inBackground { container throws(ContainerError) in
            try container.appender(
                to: item, permissions: permissions, maximumSize: maximumSize, provenance: provenance,
                fileID: fileID, line: line)
        }
    }
}

extension Appender {
    /// Adds text. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func append(_ text: String) async throws(ContainerError) {
        try await inBackground { appender throws(ContainerError) in try appender.append(text) }
    }

    /// Adds bytes. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func append(_ bytes: some ContiguousBytes & Sendable) async throws(ContainerError) {
        try await inBackground { appender throws(ContainerError) in try appender.append(bytes) }
    }

    /// Writes all lines that were added. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, in which case the lines remain; and the errors of the blocking call.
    public func flush() async throws(ContainerError) {
        try await inBackground { appender throws(ContainerError) in try appender.flush() }
    }

    private func inBackground(
        _ body: @escaping @Sendable (Appender) throws(ContainerError) -> Void
    ) async throws(ContainerError) {
        try await Background.run(orThrow: ContainerError(cancelledAt: path)) { () throws(ContainerError) in
            try body(self)
        }
    }
}
