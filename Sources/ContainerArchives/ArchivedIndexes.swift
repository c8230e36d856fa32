internal import Foundation
internal import PropertyLists

/// The indexes of an index set or an index path as bytes: seven bits in each, the least significant first, and the top
/// bit set in each but the last of an index.
///
/// Source: NSIndexPath.swift of swift-corelibs-foundation, and archives of Apple's systems.
enum ArchivedIndexes {
    /// Appends an index.
    static func append(_ index: Int, to bytes: inout [UInt8]) {
        var rest = UInt(bitPattern: index)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Returns the indexes, or nil if the last one is incomplete or one is greater than `Int.max`.
    static func read(_ bytes: [UInt8]) -> [Int]? {
        var indexes: [Int] = []
        var (index, shift) = (0, 0)
        for byte in bytes {
            let bits = Int(byte & 0x7f)
            guard shift < 63, bits <= Int.max >> shift else { return nil }
            index |= bits << shift
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            indexes.append(index)
            (index, shift) = (0, 0)
        }
        return shift == 0 ? indexes : nil
    }
}

extension ArchiveReader {
    func indexSet(_ fields: ArchiveFields, isMutable: Bool) throws(ArchiveFault) -> NSIndexSet {
        let count = try integer(fields, key: "NSRangeCount")
        var numbers: [Int] = []
        if count == 1 {
            numbers = [try integer(fields, key: "NSLocation"), try integer(fields, key: "NSLength")]
        } else if count != 0 {
            numbers = try indexes(fields, key: "NSRangeData")
        }
        guard count >= 0, numbers.count.isMultiple(of: 2), numbers.count / 2 == count else {
            throw fault(.damaged, text: "an index set does not have the number of ranges that it states")
        }
        let set = NSMutableIndexSet()
        var end = 0
        for position in stride(from: 0, to: numbers.count, by: 2) {
            let (location, length) = (numbers[position], numbers[position + 1])
            // NSNotFound, which is Int.max, is not a valid index. Ordered ranges are added in linear time.
            guard location >= end, length > 0, length <= Int.max - location else {
                throw fault(.damaged, text: "a range of an index set is not valid")
            }
            set.add(in: NSRange(location: location, length: length))
            end = location + length
        }
        return isMutable ? set : NSIndexSet(indexSet: set as IndexSet)
    }

    func indexPath(_ fields: ArchiveFields) throws(ArchiveFault) -> NSIndexPath {
        let count = try integer(fields, key: "NSIndexPathLength")
        var numbers: [Int] = []
        if count == 1 {
            numbers = [try integer(fields, key: "NSIndexPathValue")]
        } else if count != 0 {
            numbers = try indexes(fields, key: "NSIndexPathData")
        }
        guard numbers.count == count, numbers.allSatisfy({ $0 >= 0 }) else {
            throw fault(.damaged, text: "an index path does not have the length that it states")
        }
        return numbers.withUnsafeBufferPointer { NSIndexPath(indexes: $0.baseAddress, length: $0.count) }
    }

    private func indexes(_ fields: ArchiveFields, key: String) throws(ArchiveFault) -> [Int] {
        guard let data = try object(fields, key, of: [NSData.self])?.object as? NSData else {
            throw fault(.damaged, text: "\(key) is missing")
        }
        try pay(objects: data.length)
        guard let indexes = ArchivedIndexes.read(Array(Data(referencing: data))) else {
            throw fault(.damaged, text: "\(key) contains an index that is not valid")
        }
        return indexes
    }
}
