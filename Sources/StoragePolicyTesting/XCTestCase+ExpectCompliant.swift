public import AppContainer
public import Foundation
public import StoragePolicy
internal import SystemPackage
public import XCTest

extension XCTestCase {
    /// Expects that a container complies with the storage policy. Records a failure at the caller's line for each
    /// finding and for each part of the container that could not be read. Does not change the container.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - message: A message for each failure.
    ///   - select: The rules to enable: ids, numbers or groups, as for `--select`. Empty for all default rules.
    ///   - ignore: The rules to disable, as for `--ignore`.
    ///   - configuration: The configuration of the project. Its baseline is applied.
    ///   - failOn: The lowest severity of a finding that is a failure.
    ///   - file: The source file of the failures.
    ///   - line: The line of the failures.
    public func expectCompliant(
        _ container: Container, _ message: @autoclosure () -> String = "", select: [String] = [],
        ignore: [String] = [], configuration: ConfigurationChoice = .closest, failOn: Severity = .error,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        Expectation(select: select, ignore: ignore, configuration: configuration, failOn: failOn)
            .fail(message(), file, line) { container }
    }

    /// Expects that the container in a directory complies with the storage policy. A directory that is not a
    /// container is a failure.
    ///
    /// - Parameters:
    ///   - directory: The directory that contains Documents, Library and tmp; on a simulator, the app's
    ///     `.homeDirectory`.
    ///   - message: A message for each failure.
    ///   - select: The rules to enable: ids, numbers or groups, as for `--select`. Empty for all default rules.
    ///   - ignore: The rules to disable, as for `--ignore`.
    ///   - configuration: The configuration of the project. Its baseline is applied.
    ///   - failOn: The lowest severity of a finding that is a failure.
    ///   - file: The source file of the failures.
    ///   - line: The line of the failures.
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
