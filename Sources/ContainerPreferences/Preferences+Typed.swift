public import AppContainer
internal import FileSystem
internal import SystemPackage

/// Typed reads and changes.
extension Preferences {
    /// Returns the value of a key: a launch argument, the stored value, the registered default, or the default of the key.
    ///
    ///     let volume = try preferences.value(for: .volume)
    ///
    /// - Throws: `wrongType` if the value has another type; `damaged`, `tooLarge`, `notAFile`, `leavesContainer`,
    ///   `permissionDenied` or `failed` if the file cannot be read, because it may contain the value.
    public func value<Value>(for key: Key<Value>) throws(PreferencesError) -> Value {
        let now = Host.coarseUptime
        let recent = state.withLock { state in
            state.isFresh(at: now) ? (isFresh: true, found: state.find(key.name)) : (isFresh: false, found: nil)
        }
        let found = recent.isFresh ? recent.found : try find { $0.find(key.name) }
        guard let found else { return key.defaultValue }
        if let quick = key.coding.quick, let value = quick(found.value) { return value }
        return try key.decode(found, in: context)
    }

    /// The value of a key, or the default of the key if the value has another type or the file cannot be read.
    ///
    ///     let volume = preferences[.volume]
    ///
    /// The error is reported to `observeErrors` and returned by `lastError`.
    public subscript<Value>(key: Key<Value>) -> Value {
        do throws(PreferencesError) { return try value(for: key) } catch {
            report(error)
            return key.defaultValue
        }
    }

    /// Returns true if the file contains a value for the key, of any type. Launch arguments and defaults do not count.
    ///
    /// - Throws: `damaged`, `tooLarge`, `notAFile`, `leavesContainer`, `permissionDenied`, `failed`.
    public func isSet<Value>(_ key: Key<Value>) throws(PreferencesError) -> Bool {
        try find { $0.values[key.name] != nil }
    }

    /// Sets the value of a key. Nil removes the key. An equal value is not written.
    ///
    ///     try preferences.set(7, for: .volume)
    ///
    /// - Throws: The errors of `change`; `unsupported` for a value that cannot be encoded.
    public func set<Value>(
        _ value: Value, for key: Key<Value>, durability: Durability = .full
    ) throws(PreferencesError) {
        try change(durability: durability) { (edit) throws(PreferencesError) in try edit.set(value, for: key) }
    }

    /// Removes the value of a key, so that the registered default or the default of the key is returned.
    ///
    /// - Throws: The errors of `change`.
    public func remove<Value>(_ key: Key<Value>, durability: Durability = .full) throws(PreferencesError) {
        try change(durability: durability) { $0.remove(key) }
    }

    /// Removes all values of the file, so that defaults are returned. Launch arguments and registered defaults remain.
    ///
    /// - Throws: The errors of `change`.
    public func removeAll(durability: Durability = .full) throws(PreferencesError) {
        try change(durability: durability) { $0.removeAll() }
    }

    /// Returns what `body` finds in values that are recent enough for typed reads.
    private func find<Result>(_ body: (inout State) -> Result) throws(PreferencesError) -> Result {
        let now = Host.coarseUptime
        let recent = state.withLock { state -> Result? in state.isFresh(at: now) ? body(&state) : nil }
        if let recent { return recent }
        let news = try load().news
        news.deliver()
        return state.withLock { body(&$0) }
    }
}

/// Errors of calls that cannot throw.
extension Preferences {
    /// The last error of a read by subscript, of a property with `Preference`, or of an observation.
    public var lastError: PreferencesError? { state.withLock(\.lastError) }

    /// Observes the errors of calls that cannot throw: reads by subscript, properties with `Preference`, and
    /// observations.
    ///
    /// - Returns: The observation. It ends when it is cancelled or deallocated.
    public func observeErrors(_ body: @escaping @Sendable (PreferencesError) -> Void) -> PreferencesObservation {
        let number = state.withLock { state in
            state.nextObserver += 1
            state.errorObservers[state.nextObserver] = body
            return state.nextObserver
        }
        return PreferencesObservation { [weak self] in
            _ = self?.state.withLock { $0.errorObservers.removeValue(forKey: number) }
        }
    }

    func report(_ error: PreferencesError) {
        let observers = state.withLock { state in
            state.lastError = error
            return Array(state.errorObservers.values)
        }
        for observer in observers { observer(error) }
    }
}

extension Preferences.Key {
    /// Returns the value for what was found.
    func decode(_ found: Preferences.Found, in context: PreferenceContext) throws(PreferencesError) -> Value {
        var context = context
        context.convertsText = found.source == .argument
        do { return try coding.decode(found.value, context) } catch {
            let (subject, hint) =
                switch found.source {
                case .argument: ("The launch argument “-\(name)”", "Start the app with a value of the type.")
                case .registered: ("The registered default of “\(name)”", "Register a value of the type.")
                case .file:
                    (
                        "“\(name)” in “\(context.path)”",
                        "The file is unchanged. Read it with a key of its type, or set or remove it."
                    )
                }
            throw PreferencesError(
                .wrongType, context.path, "\(subject) is not of the type \(Value.self): \(Self.reason(error)). \(hint)")
        }
    }

    /// Returns the value to store, or nil to remove the key.
    func encode(_ value: Value, in context: PreferenceContext) throws(PreferencesError) -> PreferenceValue? {
        do { return try coding.encode(value, context) } catch {
            if let error = error as? PreferencesError { throw error }
            throw PreferencesError(
                .unsupported, context.path,
                "The value for “\(name)” of the type \(Value.self) cannot be encoded: \(Self.reason(error)). Nothing on "
                    + "disk has changed. Store a value that property lists can represent.")
        }
    }

    /// Returns the reason of an error without values, which may be secret.
    private static func reason(_ error: any Error) -> String {
        let details: (path: [any CodingKey], text: String)? =
            switch error {
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
                (context.codingPath, context.debugDescription)
            case EncodingError.invalidValue(_, let context): (context.codingPath, context.debugDescription)
            default: nil
            }
        guard let details else { return "\(type(of: error))" }
        let path = details.path.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? details.text : "at \(path), \(details.text)"
    }
}
