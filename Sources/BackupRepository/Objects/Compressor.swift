internal import CZstd

/// Errors of zstd.
enum Zstd {
    /// The code of `ZSTD_error_memory_allocation` in zstd_errors.h.
    private static let memoryAllocation = 64

    /// Returns the result of a zstd function, unless it is an error.
    ///
    /// - Throws: `noMemory` for a failed allocation, `failed` with the name of any other error.
    static func check(_ result: Int) throws(BackupError) -> Int {
        guard ZSTD_isError(result) != 0 else { return result }
        // A function returns the negated code of an error.
        if 0 &- result == memoryAllocation { throw noMemory }
        throw BackupError(.failed, what: "zstd cannot compress: \(String(cString: ZSTD_getErrorName(result)))")
    }

    static var noMemory: BackupError {
        BackupError(.noMemory, what: "not enough memory for zstd", hint: "free memory and run the command again")
    }
}

/// A zstd compressor that reuses its working memory. Not thread-safe.
final class Compressor {
    private let context: OpaquePointer
    private var frame: [UInt8] = []

    /// - Parameter level: The level, as in `zstd -LEVEL`.
    /// - Throws: `noMemory`, `failed`.
    init(level: Int32) throws(BackupError) {
        guard let context = ZSTD_createCCtx() else { throw Zstd.noMemory }
        self.context = context
        _ = try Zstd.check(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level))
    }

    deinit { ZSTD_freeCCtx(context) }

    /// Calls `body` with `bytes` as one zstd frame, which contains the size of its content.
    func compress<Result>(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(BackupError) -> Result
    ) throws(BackupError) -> Result {
        let bound = ZSTD_compressBound(bytes.count)
        if frame.count < bound { frame = [UInt8](repeating: 0, count: bound) }
        let count = try Zstd.check(
            frame.withUnsafeMutableBytes {
                ZSTD_compress2(context, $0.baseAddress, $0.count, bytes.baseAddress, bytes.count)
            })
        let outcome: Swift.Result<Result, BackupError> = frame.withUnsafeBytes { frame in
            do throws(BackupError) {
                return .success(try body(UnsafeRawBufferPointer(rebasing: frame[..<count])))
            } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}

extension Compressor {
    /// Returns bytes as one zstd frame, which contains the size of its content.
    func frame(of bytes: ArraySlice<UInt8>) throws(BackupError) -> [UInt8] {
        let frame: Result<[UInt8], BackupError> = bytes.withUnsafeBytes { bytes in
            Result { () throws(BackupError) in try compress(bytes) { Array($0) } }
        }
        return try frame.get()
    }
}

/// A zstd decompressor. Not thread-safe.
final class Decompressor {
    private let context: OpaquePointer

    init() throws(BackupError) {
        guard let context = ZSTD_createDCtx() else { throw Zstd.noMemory }
        self.context = context
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Returns the content of a frame that contains its size; nil if it is not such a frame or has more than `limit`
    /// bytes.
    func content(of frame: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
        let size = ZSTD_getFrameContentSize(frame.baseAddress, frame.count)
        // The largest values stand for an error, or for a frame without a size.
        return size <= UInt64(limit) ? decompress(frame, size: Int(size)) : nil
    }

    /// Returns the content of a frame; nil if it is not a frame or its content does not have `size` bytes. Never uses
    /// more memory than that.
    func decompress(_ frame: UnsafeRawBufferPointer, size: Int) -> [UInt8]? {
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let result = ZSTD_decompressDCtx(context, buffer.baseAddress, size, frame.baseAddress, frame.count)
            isWhole = ZSTD_isError(result) == 0 && result == size
            count = isWhole ? size : 0
        }
        return isWhole ? bytes : nil
    }
}
