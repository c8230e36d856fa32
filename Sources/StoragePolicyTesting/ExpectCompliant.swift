public import AppContainer
public import Foundation
public import StoragePolicy
internal import SystemPackage
public import Testing
internal import XCTest

/// Expects that a container complies with the storage policy. Records an issue at the caller's line for each finding and
/// for each part of the container that could not be read. Does not change the container.
///
///     @Test func downloadsStayOutOfBackups() throws {
///         let container = try Container.open(path)
///         try Downloads(in: container).fetchAll()
///         expectCompliant(container, select: ["backup"])
///     }
///
/// In an `XCTestCase`, the method of the same name is used instead.
///
/// - Parameters:
///   - container: The container.
///   - comment: A comment for each issue.
///   - select: The rules to enable: ids, numbers or groups, as for `--select`. Empty for all default rules.
///   - ignore: The rules to disable, as for `--ignore`.
///   - configuration: The configuration of the project. Its baseline is applied.
///   - failOn: The lowest severity of a finding that is an issue.
///   - sourceLocation: The source location of the issues.
public func expectCompliant(
    _ container: Container, _ comment: @autoclosure () -> Comment? = nil, select: [String] = [], ignore: [String] = [],
    configuration: ConfigurationChoice = .closest, failOn: Severity = .error,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    Expectation(select: select, ignore: ignore, configuration: configuration, failOn: failOn)
        .record(comment(), sourceLocation) { container }
}

/// Expects that the container in a directory complies with the storage policy. A directory that is not a
/// container is an issue.
///
/// In an app's own tests on a simulator, after the app has saved its files:
///
///     expectCompliant(at: .homeDirectory)
///
/// - Parameters:
///   - directory: The directory that contains Documents, Library and tmp.
///   - comment: A comment for each issue.
///   - select: The rules to enable: ids, numbers or groups, as for `--select`. Empty for all default rules.
///   - ignore: The rules to disable, as for `--ignore`.
///   - configuration: The configuration of the project. Its baseline is applied.
///   - failOn: The lowest severity of a finding that is an issue.
///   - sourceLocation: The source location of the issues.
public func expectCompliant(
    at directory: URL, _ comment: @autoclosure () -> Comment? = nil, select: [String] = [], ignore: [String] = [],
    configuration: ConfigurationChoice = .closest, failOn: Severity = .error,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    Expectation(select: select, ignore: ignore, configuration: configuration, failOn: failOn)
        .record(comment(), sourceLocation) { try Container.open(FilePath(directory.path)) }
}

extension Expectation {
    fileprivate func record(
        _ comment: Comment?, _ sourceLocation: SourceLocation, about open: () throws -> Container
    ) {
        #if compiler(>=6.3)
        let file = sourceLocation.filePath
        #else
        let file = sourceLocation._filePath
        #endif
        for complaint in complaints(of: open, inTestOf: file) {
            let text = [comment?.rawValue, complaint].compactMap(\.self).joined(separator: "\n")
            Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
            // XCTest ignores issues of Swift Testing, so a call from an XCTestCase needs a failure of XCTest.
            if Test.current == nil { XCTFail("\(text)\nat \(sourceLocation)") }
        }
    }
}
