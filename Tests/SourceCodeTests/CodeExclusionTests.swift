import Testing

@testable import SourceCode

@Suite("Exclusions from backup in the code") struct CodeExclusionTests {
    private static let value = "values.isExcludedFromBackup = true"

    @Test(
        "The line that excludes the URL of the item is found, and none for another URL",
        arguments: [
            (["let url = folder.appending(path: \"a.json\")", value, "try url.setResourceValues(values)"], 2),
            (["try data.write(to: url)", "var copy = url", value, "try copy.setResourceValues(values)"], 3),
            (["try data.write(to: self.url)", value, "try self.url.setResourceValues(values)"], 2),
            (
                [
                    "NSURL *url = [folder URLByAppendingPathComponent:@\"a.json\"];",
                    "[url setResourceValue:@YES forKey:NSURLIsExcludedFromBackupKey error:nil];",
                ], 1
            ),
            (["let url = folder.appending(path: \"a.json\")", value, "try folder.setResourceValues(values)"], nil),
            (
                [
                    "try data.write(to: url)", "values.isExcludedFromBackup = false",
                    "try url.setResourceValues(values)",
                ], nil
            ),
            (
                [
                    "NSURL *url = [folder URLByAppendingPathComponent:@\"a.json\"];",
                    "[url setResourceValue:@NO forKey:NSURLIsExcludedFromBackupKey error:nil];",
                ], nil
            ),
            (["try data.write(to: url)", "try url.setResourceValues(other)"], nil), ([""], nil),
        ] as [([String], Int?)])
    func line(code: [String], line: Int?) {
        #expect(CodeExclusion(code).line(of: 0) == line)
    }
}
