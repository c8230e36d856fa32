@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("Files that are compared by content") struct ComparedFilesTests {
    private func file(_ number: Int) -> ContainersOfApp.File {
        ContainersOfApp.File(container: number, path: Array("\(number)".utf8))
    }

    @Test("Each file is read at most twice, and only if another one has its size and its beginning")
    func readings() {
        var files = ComparedFiles()
        var readings: [String] = []
        // The content of file n is n / 4, and the beginning is the same for all.
        func find(_ number: Int, size: UInt64) -> Int? {
            files.file(equalTo: file(number), size: size, adding: true) { file, limit in
                readings.append("\(file.container) \(limit == .max ? "whole" : "beginning")")
                return limit == .max ? file.container / 4 : 0
            }?.container
        }
        #expect(find(0, size: 1 << 30) == nil && readings.isEmpty)
        #expect(find(1, size: 2 << 30) == nil && readings.isEmpty)
        #expect((2..<12).map { find($0, size: 1 << 30) } == [0, 0, nil, 4, 4, 4, nil, 8, 8, 8])
        #expect(Set(readings).count == readings.count && readings.count == 22)
        // Shorter files are compared by their beginnings alone.
        readings = []
        #expect(find(20, size: 10) == nil && find(21, size: 10) == 20)
        #expect(readings == ["20 beginning", "21 beginning"])
    }

    @Test("A file that cannot be read is equal to none")
    func unreadable() {
        var files = ComparedFiles()
        for number in 0..<3 {
            #expect(files.file(equalTo: file(number), size: 5, adding: true) { _, _ in nil } == nil)
        }
    }

    @Test("At most 50,000 files are remembered, others are still compared with them")
    func limit() {
        var files = ComparedFiles()
        for number in 0..<FindingAccumulator.deferredLimit { files.add(file(number), size: UInt64(number)) }
        #expect(!files.isCut)
        files.add(file(50_000), size: 50_000)
        #expect(files.isCut)
        func find(_ number: Int, size: UInt64) -> Int? {
            files.file(equalTo: file(number), size: size, adding: true) { _, _ in 1 }?.container
        }
        #expect(find(60_000, size: 50_000) == nil && find(60_001, size: 50_000) == nil && find(60_002, size: 7) == 7)
    }
}
