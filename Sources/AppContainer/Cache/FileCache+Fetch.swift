internal import FileSystem
public import Foundation

extension FileCache {
    /// Returns the value of a key, and fetches and stores it if it has none.
    ///
    ///     let image = try await images.value(forKey: url.absoluteString, lifetime: .seconds(3600)) {
    ///         try await download(url)
    ///     }
    ///
    /// Several callers that ask for a key at the same time wait for one fetch. If it fails, all of them get its error,
    /// and the next one fetches again. A cancelled caller stops waiting; the fetch is cancelled when no one waits for
    /// it. A value that cannot be stored, for instance because the disk is full, is returned nevertheless.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - lifetime: The time after which the fetched value expires. Nil for no expiry date.
    ///   - fetch: The download or the computation. It runs in a task of its own.
    /// - Returns: The value.
    /// - Throws: `CancellationError`, the errors of `fetch`, and those of `value(forKey:)`.
    public func value(
        forKey key: String, lifetime: Duration? = nil, fetch: @escaping @Sendable () async throws -> Data
    ) async throws -> Data {
        if let data = try await stored(key) { return data }
        let (flight, isNew) = flights.withLock { flights in
            if let flight = flights[key], flight.isOpen { return (flight, false) }
            let flight = Flight()
            flights[key] = flight
            return (flight, true)
        }
        if isNew {
            flight.start {
                // It may have been stored since this caller looked.
                if let data = try? await self.stored(key) { return data }
                let data = try await fetch()
                try? await self.storeInBackground(data, forKey: key, lifetime: lifetime)
                return data
            } whenDone: { [weak self] in
                self?.flights.withLock { flights in if flights[key] === flight { flights[key] = nil } }
            }
        }
        return try await flight.value
    }

    private func stored(_ key: String) async throws -> Data? {
        try await folder.container.background { _ in try self.value(forKey: key) }
    }

    private func storeInBackground(_ data: Data, forKey key: String, lifetime: Duration?) async throws {
        let expiry = lifetime.map { lifetime in
            let (seconds, attoseconds) = lifetime.components
            return Date(timeIntervalSinceNow: Double(seconds) + Double(attoseconds) / 1e18)
        }
        try await folder.container.background { _ in try self.store(data, forKey: key, expires: expiry) }
    }
}

/// A fetch for which several callers wait.
final class Flight: Sendable {
    private struct State {
        var waiting: [Int: CheckedContinuation<Data, any Error>] = [:]
        var next = 0
        var task: Task<Void, Never>?
        var result: Result<Data, any Error>?
        /// True if all callers have left. No others may join.
        var isAbandoned = false
    }
    private let state = LockedValue(State())

    /// False if the fetch was cancelled because no one waited for it.
    var isOpen: Bool { !state.withLock(\.isAbandoned) }

    /// Runs a fetch in a task.
    func start(
        _ fetch: @escaping @Sendable () async throws -> Data, whenDone: @escaping @Sendable () -> Void
    ) {
        let task = Task {
            let result: Result<Data, any Error>
            do { result = .success(try await fetch()) } catch { result = .failure(error) }
            whenDone()
            let waiting = self.state.withLock { state in
                state.result = result
                defer { state.waiting = [:] }
                return state.waiting.values
            }
            for continuation in waiting { continuation.resume(with: result) }
        }
        let isAbandoned = state.withLock { state in
            state.task = task
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    /// The result of the fetch.
    var value: Data {
        get async throws {
            let number = state.withLock { state in
                state.next += 1
                return state.next
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let ready = state.withLock { state -> Result<Data, any Error>? in
                        if let result = state.result { return result }
                        if Task.isCancelled || state.isAbandoned { return .failure(CancellationError()) }
                        state.waiting[number] = continuation
                        return nil
                    }
                    if let ready { continuation.resume(with: ready) }
                }
            } onCancel: {
                leave(number)
            }
        }
    }

    private func leave(_ number: Int) {
        let (continuation, task) = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: number)
            if continuation != nil, state.waiting.isEmpty { state.isAbandoned = true }
            return (continuation, state.isAbandoned ? state.task : nil)
        }
        task?.cancel()
        continuation?.resume(throwing: CancellationError())
    }
}
