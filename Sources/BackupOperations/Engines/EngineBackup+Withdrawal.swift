internal import BackupRepository

extension EngineBackup {
    /// Takes away what was made before something went wrong, which no one has found good. Gives the error, with the names
    /// of what stays.
    func withdraw(_ made: [String], from engine: any BackupEngine, after error: BackupError) -> BackupError {
        let left = leftovers(of: made, in: engine, within: .seconds(20))
        guard !left.isEmpty else { return error }
        let what = "still in the repository, of a run that did not end well: \(left.joined(separator: ", "))"
        let hint = "take it away with `\(kind.rawValue) \(kind == .restic ? "forget" : "delete")`"
        RunInterruption.remark = "\(what); \(hint)"
        return BackupError(
            error.code, "\(error.what); \(what)", hint: error.hint.isEmpty ? hint : "\(error.hint), and \(hint)")
    }

    /// Takes snapshots away, all of them in so much time, and gives those that stay.
    func leftovers(of snapshots: [String], in engine: any BackupEngine, within limit: Duration) -> [String] {
        let end = ContinuousClock.now + limit
        return snapshots.filter { snapshot in
            let rest = max(.seconds(1), end - .now)
            do throws(BackupError) { try engine.remove(snapshot, within: rest) } catch { return true }
            return false
        }
    }
}
