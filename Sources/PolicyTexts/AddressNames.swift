/// File names, and digests that serve as file names, by the addresses that explain them.
package struct AddressNames: Sendable {
    private var byName: [String: String] = [:]
    private var byDigest: [UInt64: String] = [:]
    private let listings: Set<AddressIndex.Listing>
    private let files: [String: String]
    private let tagged: Set<String>
    private let unaddressed: [String: Bool]
    private let keys: [String: String]
    private let series: [NumberedName: String]
    package let described: [[UInt8]: Bool]
    package var isEmpty: Bool { byDigest.isEmpty && listings.isEmpty }

    init(
        _ addresses: some Sequence<WebAddress>, listings: Set<AddressIndex.Listing>, files: [String: String],
        tagged: Set<String>, unaddressed: [String: Bool], keys: [String: String], series: [NumberedName: String],
        described: [[UInt8]: Bool]
    ) {
        (self.listings, self.files, self.tagged, self.unaddressed) = (listings, files, tagged, unaddressed)
        (self.keys, self.series, self.described) = (keys, series, described)
        for address in addresses {
            for digest in address.digests { byDigest[digest] = min(byDigest[digest] ?? address.shown, address.shown) }
            guard Self.isTelling(address.name) else { continue }
            byName[address.name] = min(byName[address.name] ?? address.shown, address.shown)
        }
    }

    /// The address that ends in this name.
    package func address(of name: [UInt8]) -> String? { byName[String(decoding: name, as: UTF8.self)] }

    /// The address in a record that names the file, by its name or by that and its directory's name, and whether users'
    /// own files may have the name as well.
    package func address(ofFile name: [UInt8], in directory: [UInt8]?) -> (shown: String, isCommon: Bool)? {
        guard !files.isEmpty else { return nil }
        let name = String(decoding: name, as: UTF8.self)
        if let directory, let found = files["\(String(decoding: directory, as: UTF8.self))/\(name)"] {
            return (found, false)
        }
        return files[name].map { ($0, !Self.isTelling(name)) }
    }

    /// Returns true if a record with an address and an entity tag names the file.
    package func isTagged(_ name: [UInt8], in directory: [UInt8]?) -> Bool {
        guard !tagged.isEmpty else { return false }
        let name = String(decoding: name, as: UTF8.self)
        return tagged.contains(name)
            || directory.map { tagged.contains("\(String(decoding: $0, as: UTF8.self))/\(name)") } ?? false
    }

    /// Returns true if a record names the file, without an address, while other records have one.
    package func isUnaddressed(_ name: [UInt8], in directory: [UInt8]?) -> Bool {
        guard !unaddressed.isEmpty else { return false }
        let name = String(decoding: name, as: UTF8.self)
        let path = directory.map { "\(String(decoding: $0, as: UTF8.self))/\(name)" }
        return unaddressed[name] != nil || path.map { unaddressed[$0] != nil } ?? false
    }

    /// The address in a record whose key is the name without its extension, or that of numbered files of that form.
    package func address(numbered name: [UInt8], _ stem: some Collection<UInt8>) -> String? {
        if !keys.isEmpty, let found = keys[String(decoding: stem, as: UTF8.self)] { return found }
        return series.isEmpty ? nil : NumberedName(name).flatMap { series[$0] }
    }

    /// The address whose digest the name is.
    package func address(withDigest digest: UInt64) -> String? { byDigest[digest] }

    /// Returns true if a manifest in one of some directories lists the name.
    package func isListed(_ name: [UInt8], in directories: [[UInt8]]) -> Bool {
        !listings.isEmpty && directories.contains { listings.contains(.init(directory: $0, name: name)) }
    }

    /// Returns true if a name is rare enough to say something: `index.html` ends many addresses, and `IMG_0001.jpg` and
    /// `12.jpg` are names of users' own files as well.
    static func isTelling(_ name: String) -> Bool {
        guard name.utf8.count >= 5, !common.contains(name.lowercased()) else { return false }
        let stem = Array((name.split(separator: ".").first ?? "").utf8)
        let digits = stem.count { (0x30...0x39).contains($0) }
        let isShortNumber = digits == stem.count && digits < 7
        let isCamera = ["IMG", "DSC", "MOV", "VID", "PXL"].contains { stem.starts(with: $0.utf8) } && stem.count < 13
        return !isShortNumber && !isCamera
    }

    private static let common: Set<String> = [
        "index.html", "index.php", "image.jpg", "image.png", "default.jpg", "default.png", "photo.jpg", "picture.jpg",
        "cover.jpg", "cover.png", "thumb.jpg", "icon.png", "logo.png", "avatar.png", "avatar.jpg", "data.json",
        "config.json", "video.mp4", "audio.mp3", "document.pdf", "file.pdf", "download.pdf", "favicon.ico",
        "index.json", "manifest.json", "video.mov", "audio.m4a", "image.jpeg", "photo.jpeg", "photo.png",
        "recording.m4a", "scan.pdf", "invoice.pdf", "receipt.pdf", "report.pdf",
    ]
}
