import Testing

@testable import BackupRepository

@Suite struct CompressorTests {
    @Test("Only a failed allocation of zstd is reported as missing memory")
    func errors() throws {
        // zstd_errors.h: 64 is memory_allocation, 42 parameter_outOfBound, 70 dstSize_tooSmall.
        for (code, expected) in [(64, BackupError.Code.noMemory), (42, .failed), (70, .failed)] {
            let error = #expect(throws: BackupError.self) { _ = try Zstd.check(0 - code) }
            #expect(error?.code == expected)
        }
        let tooSmall = #expect(throws: BackupError.self) { _ = try Zstd.check(-70) }
        #expect(tooSmall?.what == "zstd cannot compress: Destination buffer is too small")
        #expect(try Zstd.check(17) == 17)
    }
}
