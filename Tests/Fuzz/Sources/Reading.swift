internal import AppContainer
internal import ContainerArchives
internal import Foundation

/// Reads an archive and uses the result as an app would.
enum Reading {
    private static let classes: [ArchivableClass] = [
        NSSet.self, NSOrderedSet.self, NSURL.self, NSUUID.self, NSNull.self, NSValue.self, NSAttributedString.self,
        NSArray.self, NSDictionary.self,
    ]
    private static var limits: ArchiveLimits {
        var limits = ArchiveLimits()
        limits.objects = 10_000
        limits.bytes = 1 << 20
        return limits
    }

    static func tryAll(_ bytes: [UInt8]) {
        read(NSArray.self, bytes)
        read(NSDictionary.self, bytes)
        read(NSSet.self, bytes)
        read(Node.self, bytes)
    }

    private static func read<Object: NSObject & NSSecureCoding>(_ type: Object.Type, _ bytes: [UInt8]) {
        guard
            let object = try? ArchiveBytes.read(
                type, from: bytes, allowing: classes, named: ["Node": Node.self], limits: limits)
        else { return }
        use(object, depth: 0)
        _ = object.isEqual(object)
        if let again = try? ArchiveBytes.write(object, named: ["Node": Node.self], limits: limits) {
            _ = try? ArchiveBytes.read(type, from: again, allowing: classes, named: ["Node": Node.self], limits: limits)
        }
    }

    private static func use(_ object: Any, depth: Int) {
        _ = (object as AnyObject as? NSObject)?.hash
        guard depth < 6 else { return }
        switch object as AnyObject {
        case let array as NSArray: for member in array.prefix(8) { use(member, depth: depth + 1) }
        case let set as NSSet: for member in set.prefix(8) { use(member, depth: depth + 1) }
        case let set as NSOrderedSet: for member in set.prefix(8) { use(member, depth: depth + 1) }
        case let dictionary as NSDictionary:
            for (key, value) in dictionary.prefix(8) {
                _ = dictionary.object(forKey: key)
                use(value, depth: depth + 1)
            }
        case let text as NSString: _ = text.length
        case let url as NSURL: _ = (url as URL).absoluteURL.path
        default: break
        }
    }
}

/// A class of an app that decodes all types.
final class Node: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    private let next: NSObject?
    private let other: NSObject?
    private let number: Int

    func encode(with coder: NSCoder) {
        coder.encode(next, forKey: "next")
        coder.encode(other, forKey: "$other")
        coder.encode(number, forKey: "number")
    }

    init?(coder: NSCoder) {
        next = coder.decodeObject(forKey: "next") as? NSObject
        number = coder.decodeInteger(forKey: "number")
        switch number {
        case 1: other = coder.decodeObject(of: Node.self, forKey: "$other")
        case 2: other = coder.decodeObject(of: [NSArray.self, Node.self, NSURL.self], forKey: "$other") as? NSObject
        case 3: other = coder.decodePropertyList(forKey: "$other") as? NSObject
        default: other = coder.withDecodedUnsafeBytes(forKey: "$other") { $0.map { NSNumber(value: $0.count) } }
        }
        _ = (coder.decodeBool(forKey: "b"), coder.decodeFloat(forKey: "f"), coder.decodeInt32(forKey: "i"))
        if coder.containsValue(forKey: "refuse") { return nil }
    }
}
