// both: value of type 'NSKeyedUnarchiver' has no member 'withDecodedUnsafeBufferPointer'
import Foundation

/// Only Foundation on Linux has this function.
func count(_ archive: Data) throws -> Int {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archive)
    return unarchiver.withDecodedUnsafeBufferPointer(forKey: "bytes") { $0?.count ?? 0 }
}
