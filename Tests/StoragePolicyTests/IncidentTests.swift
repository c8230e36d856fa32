import DatabaseInspection
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
import SystemPackage
import Testing

@testable import StoragePolicy

@Suite("Incident") struct IncidentTests {
    @Test(
        "Each error of a walk has the identifier that reports have always used",
        arguments: [
            (Errno.permissionDenied, "permission-denied"), (.notPermitted, "permission-denied"),
            (.noSuchFileOrDirectory, "vanished"), (.notDirectory, "vanished"),
            (.tooManySymbolicLinkLevels, "replaced-by-a-link"), (.fileNameTooLong, "too-deep"),
            (.tooManyOpenFiles, "too-many-open-files"), (.tooManyOpenFilesInSystem, "too-many-open-files"),
            (.ioError, "input-output-error"), (.deadlock, "not-downloaded"), (Errno(rawValue: 116), "errno-116"),
        ])
    func walkErrors(errno: Errno, identifier: String) {
        #expect(Incident.Reason(errno).rawValue == identifier)
    }

    @Test("Each error of a database has the identifier of its code", arguments: DatabaseReadError.Code.allCases)
    func databaseErrors(code: DatabaseReadError.Code) {
        #expect(Incident.Reason(code).rawValue == code.rawValue)
    }
}
