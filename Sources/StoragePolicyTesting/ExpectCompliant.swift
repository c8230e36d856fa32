public import AppContainer
public import Foundation
public import StoragePolicy
internal import SystemPackage
public import Testing
internal import XCTest

/// Expects that a container keeps the storage policy. Each finding is an issue at the caller's line; so is what could not
/// be looked at. Nothing of the container is changed.
///
///     @Test func downloadsStayOutOfBackups() throws {
///         let container = try Container.open(path)
///         try Downloads(in: container).fetchAll()
///         expectCompliant(container, select: ["backup"])
///     }
///
/// In an `XCTestCase` the method of the same name is called instead.
///
/// - Parameters:
///   - container: The container.
///   - comment: What to say with each issue.
///   - select: Only these rules: ids, numbers or groups, as `--select` has them.
///   - ignore: None of these.
///   - configuration: The project's configuration; a baseline that it names is heeded.
///   - failOn: The least severity that is an issue.
///   - sourceLocation: Where issues are recorded.
public func expectCompliant(
    _ container: Container, _ comment: @autoclosure () -> Comment? = nil, select: [String] = [], ignore: [String] = [],
    configuration: ConfigurationChoice = .closest, failOn: Severity = .error,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    Expectation(select: select, ignore: ignore, configuration: configuration, failOn: failOn)
        .record(comment(), sourceLocation) { container }
}

/// Expects that the container in a directory keeps the storage policy; a directory that is no container is an issue.
///
/// In an app's own tests on a simulator, after the app has done its work:
///
///     expectCompliant(at: .homeDirectory)
///
/// - Parameters:
///   - directory: The directory that holds Documents, Library and tmp.
///   - comment: What to say with each issue.
///   - select: Only these rules: ids, numbers or groups, as `--select` has them.
///   - ignore: None of these.
///   - configuration: The project's configuration; a baseline that it names is heeded.
///   - failOn: The least severity that is an issue.
///   - sourceLocation: Where issues are recorded.
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
            // Called from a function that an XCTestCase calls: there an issue of Swift Testing is nothing.
            if Test.current == nil { XCTFail("\(text)\nat \(sourceLocation)") }
        }
    }
}
