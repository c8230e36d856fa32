internal import PolicyTexts

/// The store of Tencent's MMKV: a file of key-value pairs that is mapped into memory, and beside it a file with its checksum.
///
/// Source: Core/MMKVMetaInfo.hpp and Core/MMKV_IO.cpp (`checkDataValid`) of github.com/Tencent/MMKV.
enum MMKVStore {
    static let ending = Array(".crc".utf8)

    /// The content of a checksum file.
    private struct Checksum {
        let digest: UInt32
        let version: UInt32
        let size: UInt64
        let confirmed: (size: UInt64, digest: UInt32)

        /// Returns nil for a file that is no checksum file of MMKV, whose rest is zero.
        init?(_ bytes: [UInt8]?) {
            guard let bytes, bytes.count == Checksum.read, let version = bytes.number(at: 4, bytes: 4), version <= 8,
                bytes[Checksum.used...].allSatisfy({ $0 == 0 }), let digest = bytes.number(at: 0, bytes: 4),
                let size = bytes.number(at: 28, bytes: 4), let last = bytes.number(at: 32, bytes: 4),
                let lastDigest = bytes.number(at: 36, bytes: 4)
            else { return nil }
            (self.digest, self.version, self.size) = (UInt32(digest), UInt32(version), size)
            confirmed = (last, UInt32(lastDigest))
        }

        static let read = 512
        private static let used = 128
    }

    /// The store is mapped in pages.
    static let pageSize: UInt64 = 4_096

    /// True for a store, which a checksum file beside it shows. Its own bytes say nothing.
    static func isStore(_ file: StoreFile) -> Bool {
        let other = file.name + ending
        return file.size > 0 && file.size % pageSize == 0 && file.hasSibling(other)
            && Checksum(file.bytes(Checksum.read, of: other)) != nil
    }

    static func check(_ file: StoreFile) -> StoreFile.Check {
        let other = file.name + ending
        guard file.hasSibling(other), let checksum = Checksum(file.bytes(Checksum.read, of: other)),
            let old = file.bytes(4, at: 0)?.number(at: 0, bytes: 4)
        else { return .passed }
        // The file is read as MMKV does: the size is in the checksum file since version 3, and beforehand in the store.
        var candidates = [(size: old, digest: checksum.digest)]
        if checksum.version >= 3 { candidates.insert((checksum.size, checksum.digest), at: 0) }
        if checksum.version >= 3, checksum.confirmed.size > 0 { candidates.append(checksum.confirmed) }
        let fitting = candidates.filter { $0.size <= file.size - 4 }
        guard let first = candidates.first, !fitting.isEmpty else {
            return .damaged("MMKV states \(candidates[0].size) bytes of pairs, and the file has fewer")
        }
        guard fitting.allSatisfy({ $0.size <= StoreFile.limit }) else { return .tooLarge }
        for candidate in fitting {
            var check = CRC32()
            guard file.read(4..<(4 + candidate.size), { check.update($0) }) else { return .passed }
            if check.value == candidate.digest { return .passed }
        }
        return .damaged(
            "the checksum of its \(first.size) bytes of pairs is not that in the .crc file, so MMKV discards them")
    }

    /// True for a checksum file whose store does not exist.
    static func isOrphan(_ file: StoreFile) -> Bool {
        guard file.name.count > ending.count, file.name.suffix(ending.count).elementsEqual(ending),
            Checksum(file.bytes(Checksum.read, at: 0)) != nil
        else { return false }
        return !file.hasSibling(Array(file.name.dropLast(ending.count)))
    }
}

/// A box of Hive: frames of an entry each, with a length before and a checksum after it.
///
/// A last frame that is cut off is an interrupted save, which Hive removes. An encrypted box has checksums that begin with its
/// key, so a box whose first frame does not match is not reported. Source: lib/src/binary/binary_reader_impl.dart of
/// github.com/isar/hive.
enum HiveBox {
    static func check(_ file: StoreFile) -> StoreFile.Check {
        var offset: UInt64 = 0
        while offset < file.size {
            guard offset <= StoreFile.limit else { return .tooLarge }
            guard let header = file.bytes(4, at: offset), let length = header.number(at: 0, bytes: 4) else {
                return .passed
            }
            let end = offset + length
            let isFrame = length >= 8 && end <= file.size
            if isFrame {
                guard length <= StoreFile.limit else { return .tooLarge }
                var check = CRC32()
                guard file.read(offset..<(end - 4), { check.update($0) }), let stated = file.bytes(4, at: end - 4)
                else {
                    return .passed
                }
                if check.value == UInt32(stated.number(at: 0, bytes: 4) ?? 0) {
                    offset = end
                    continue
                }
            }
            // A frame that was not flushed before the power went is cut off, or zero.
            let isLast = isFrame ? end == file.size : length >= 8
            guard offset > 0, !isLast else { return .passed }
            let rest = min(file.size, offset + StoreFile.limit)
            guard !file.isZero(offset..<rest) else { return .passed }
            return .damaged(
                "the entry at byte \(offset) does not match its checksum, and Hive discards it with the \(file.size - offset) bytes that follow"
            )
        }
        return .passed
    }
}

/// An environment of LMDB: two pages of metadata, of which the one with the higher transaction counts.
///
/// Source: lmdb.h and mdb.c (`MDB_meta`, `mdb_env_read_header`) of the OpenLDAP project, for 64 bits.
enum LMDBEnvironment {
    private struct Meta {
        let transaction: UInt64
        let pageSize: UInt64
        let roots: [UInt64]

        /// Returns nil for bytes that are no page of metadata.
        init?(_ page: [UInt8]?) {
            guard let page, let flags = page.number(at: 10, bytes: 2), flags & 8 != 0,
                page.number(at: 16, bytes: 4) == LMDBEnvironment.magic,
                let size = page.number(at: 40, bytes: 4), let free = page.number(at: 80, bytes: 8),
                let main = page.number(at: 128, bytes: 8), let transaction = page.number(at: 144, bytes: 8)
            else { return nil }
            pageSize = size
            roots = [free, main].filter { $0 != .max }
            self.transaction = transaction
        }
    }

    private static let magic: UInt64 = 0xbeef_c0de
    private static let pageSizes: [UInt64] = [4096, 16384, 8192, 32768, 65536, 2048, 1024, 512]

    static func check(_ file: StoreFile) -> StoreFile.Check {
        let first = Meta(file.bytes(152, at: 0))
        let sizes = first.map { [$0.pageSize] } ?? pageSizes
        let second = sizes.lazy.compactMap { size in
            Meta(file.bytes(152, at: size)).flatMap { $0.pageSize == size ? $0 : nil }
        }.first
        guard first != nil || second != nil else { return .passed }
        guard let first, pageSizes.contains(first.pageSize) else {
            return .damaged("its first page of metadata is overwritten, so LMDB does not open it")
        }
        guard let second else {
            return file.size < first.pageSize * 2
                ? .damaged("it ends before its second page of metadata, so LMDB does not open it")
                : .damaged("its second page of metadata is overwritten, so LMDB does not open it")
        }
        let newest = second.transaction > first.transaction ? second : first
        for root in newest.roots {
            let (start, isOver) = root.multipliedReportingOverflow(by: first.pageSize)
            guard !isOver, start < .max - first.pageSize, start + first.pageSize <= file.size else {
                return .damaged("it ends before page \(root), the root of its newest state")
            }
            // The number of a page is at its beginning.
            guard let number = file.bytes(8, at: start)?.number(at: 0, bytes: 8) else { return .passed }
            guard number == root else { return .damaged("page \(root), the root of its newest state, is overwritten") }
        }
        return .passed
    }
}
