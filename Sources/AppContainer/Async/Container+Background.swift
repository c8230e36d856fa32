extension Container {
    /// Runs several calls on the container in the background, on threads other than Swift's own, which must not block.
    /// A single call has an async version of its own.
    ///
    ///     let sizes = try await container.background { container in
    ///         try container.list(.documents()).map { place in try container.load(place).count }
    ///     }
    ///
    /// - Parameter body: The work. It begins when a thread is available. If the task is cancelled before that, it does
    ///   not begin; otherwise it runs to its end.
    /// - Returns: The result of `body`.
    /// - Throws: `cancelled`; any error of `body`.
    public func background<Result: Sendable>(
        _ body: @escaping @Sendable (Container) throws -> Result
    ) async throws -> Result {
        try await Background.run(orThrow: ContainerError(cancelledAt: location) as any Error) { try body(self) }
    }

    /// Runs work that throws `ContainerError` in the background.
    func inBackground<Value: Sendable>(
        _ body: @escaping @Sendable (Container) throws(ContainerError) -> Value
    ) async throws(ContainerError) -> Value {
        try await Background.run(orThrow: ContainerError(cancelledAt: location)) { () throws(ContainerError) in
            try body(self)
        }
    }
}
