public import AppContainer
public import Foundation
public import StoragePolicy
internal import SystemPackage
public import XCTest

extension XCTestCase {
    /// Expects that a container keeps the storage policy. Each finding is a failure at the caller's line; so is what
    /// could not be looked at. Nothing of the container is changed.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - message: What to say with each failure.
    ///   - select: Only these rules: ids, numbers or groups, as `--select` has them.
    ///   - ignore: None of these.
    ///   - configuration: The project's configuration; a baseline that it names is heeded.
    ///   - failOn: The least severity that is a failure.
    ///   - file: The file in which failures are recorded.
    ///   - line: The line at which they are.
    public func expectCompliant(
        _ container: Container, _ message: @autoclosure () -> String = "", select: [String] = [],
        ignore: [String] = [], configuration: ConfigurationChoice = .closest, failOn: Severity = .error,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        Expectation(select: select, ignore: ignore, configuration: configuration, failOn: failOn)
            .fail(message(), file, line) { container }
    }

    /// Expects that the container in a directory keeps the storage policy; a directory that is no container is a failure.
    ///
    /// - Parameters:
    ///   - directory: The directory that holds Documents, Library and tmp; on a simulator the app's `.homeDirectory`.
    ///   - message: What to say with each failure.
    ///   - select: Only these rules: ids, numbers or groups, as `--select` has them.
    ///   - ignore: None of these.
    ///   - configuration: The project's configuration; a baseline that it names is heeded.
    ///   - failOn: The least severity that is a failure.
    ///   - file: The file in which failures are recorded.
    ///   - line: The line at which they are.
    public func expectCompliant(
        at directory: URL, _ message: @autoclosure () -> String = "", select: [String] = [],
        ignore: [String] = [], configuration: ConfigurationChoice = .closest, failOn: Severity = .error,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        Expectation(select: select, ignore: ignore, configuration: configuration, failOn: failOn)
            .fail(message(), file, line) { try Container.open(FilePath(directory.path)) }
    }
}

extension Expectation {
    fileprivate func fail(
        _ message: String, _ file: StaticString, _ line: UInt, about open: () throws -> Container
    ) {
        for complaint in complaints(of: open, inTestOf: "\(file)") {
            XCTFail(message.isEmpty ? complaint : "\(message)\n\(complaint)", file: file, line: line)
        }
    }
}
