internal import CZstd

/// A zstd compressor that reuses its working memory. Not thread-safe.
final class Compressor {
    private let context: OpaquePointer
    private var frame: [UInt8] = []

    /// - Parameter level: The level, as in `zstd -LEVEL`.
    /// - Throws: `noMemory`.
    init(level: Int32) throws(BackupError) {
        guard let context = ZSTD_createCCtx() else { throw BackupError(.noMemory, "zstd finds no memory") }
        self.context = context
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
    }

    deinit { ZSTD_freeCCtx(context) }

    /// Calls `body` with `bytes` as one zstd frame, which contains the size of its content.
    func compress<Result>(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(BackupError) -> Result
    ) throws(BackupError) -> Result {
        let bound = ZSTD_compressBound(bytes.count)
        if frame.count < bound { frame = [UInt8](repeating: 0, count: bound) }
        let count = frame.withUnsafeMutableBytes {
            ZSTD_compress2(context, $0.baseAddress, $0.count, bytes.baseAddress, bytes.count)
        }
        guard ZSTD_isError(count) == 0 else { throw BackupError(.noMemory, String(cString: ZSTD_getErrorName(count))) }
        var outcome: Swift.Result<Result, BackupError>?
        frame.withUnsafeBytes { frame in
            do throws(BackupError) {
                outcome = .success(try body(UnsafeRawBufferPointer(rebasing: frame[..<count])))
            } catch { outcome = .failure(error) }
        }
        guard let outcome else { throw BackupError(.noMemory, "zstd finds no memory") }
        return try outcome.get()
    }
}

/// A zstd decompressor. Not thread-safe.
final class Decompressor {
    private let context: OpaquePointer

    init() throws(BackupError) {
        guard let context = ZSTD_createDCtx() else { throw BackupError(.noMemory, "zstd finds no memory") }
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
