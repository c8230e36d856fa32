import AppContainer
import BackupPlan
import StoragePolicy
import SystemPackage

extension Plan {
    /// Removes the warnings about excluded databases that are rightly excluded: by the linter's classes, with the configuration
    /// that belongs to the container, they can be downloaded or computed again. Without such a warning, nothing is linted; with
    /// an invalid configuration, all warnings stay.
    mutating func considerClasses(in container: Container) throws {
        let databases = Set(warnings.filter { $0.kind == .databaseLeftOut }.map(\.path))
        guard !databases.isEmpty else { return }
        let linter: Linter
        do { linter = try Linter(configuredFor: container.location.string) } catch {
            return Failure.printNote("the excluded databases were not classified: \(error)")
        }
        let classes = try linter.classes(of: databases, in: container)
        removeWarnings {
            $0.kind == .databaseLeftOut && classes[$0.path]?.itemClass.mayLeaveBackups ?? false
        }
    }
}
