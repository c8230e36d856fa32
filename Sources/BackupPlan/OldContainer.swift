package import SystemPackage

/// Absolute paths into a container by its UUID, which another device, a restore or an update replaces.
package enum OldContainer {
    /// Whether a link's target lies in a container other than the one at `location`.
    ///
    /// Source: a Manifest.db of iOS 14.3, whose WebKit links name `…/Containers/Data/Application/<UUID>/…`.
    package static func isIn(_ target: [UInt8], apartFrom location: FilePath) -> Bool {
        guard target.first == UInt8(ascii: "/") else { return false }
        let components = target.split(separator: UInt8(ascii: "/"))
        guard let containers = components.firstIndex(where: { $0.elementsEqual("Containers".utf8) }),
            let identifier = components[containers...].first(where: isUUID)
        else { return false }
        return String(decoding: identifier, as: UTF8.self).lowercased() != location.lastComponent?.string.lowercased()
    }

    private static func isUUID(_ component: ArraySlice<UInt8>) -> Bool {
        guard component.count == 36 else { return false }
        return zip(0..., component).allSatisfy { index, byte in
            switch index {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default: Character(Unicode.Scalar(byte)).isHexDigit
            }
        }
    }
}
