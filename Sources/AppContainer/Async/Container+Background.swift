extension Container {
    /// Does something with the container away from Swift's own threads, of which there are few, and which must not
    /// wait for a disk. Use it for several calls that belong together; each call by itself has a version to be awaited.
    ///
    ///     let sizes = try await container.background { container in
    ///         try container.list(.documents()).map { place in try container.load(place).count }
    ///     }
    ///
    /// - Parameter body: What is to be done. It begins as soon as one of a few threads is free; it is not begun in a
    ///   task that has been cancelled by then, and goes on to its end once begun.
    /// - Returns: What `body` gives.
    /// - Throws: `cancelled`; whatever `body` throws.
    public func background<Result: Sendable>(
        _ body: @escaping @Sendable (Container) throws -> Result
    ) async throws -> Result {
        try await Background.run(orThrow: ContainerError(cancelledAt: location) as any Error) { try body(self) }
    }

    /// The same for what fails in a container's own way.
    func inBackground<Value: Sendable>(
        _ body: @escaping @Sendable (Container) throws(ContainerError) -> Value
    ) async throws(ContainerError) -> Value {
        try await Background.run(orThrow: ContainerError(cancelledAt: location)) { () throws(ContainerError) in
            try body(self)
        }
    }
}
