// both: cannot override a property with type 'Set<AnyHashable>?'
import Foundation

/// A coder with the signatures of Foundation on Linux.
final class CoderForLinux: NSCoder {
    override var allowedClasses: [AnyClass]? { nil }
}
