extension Folder {
    /// Calls `body` with each of some entries of the folder as it is now, without the names of its attributes. Omits what cannot
    /// be read.
    package func read(_ names: [[UInt8]], carryingAttributes: Bool, _ body: (WalkEntry) -> Void) {
        for name in names where !name.isEmpty && !name.contains(0) && !name.contains(UInt8(ascii: "/")) {
            (name + [0]).withUnsafeBytes { bytes in
                guard let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    let status = try? FileStatus(of: text, in: descriptor)
                else { return }
                let name = UnsafeRawBufferPointer(rebasing: bytes.dropLast())
                body(WalkEntry(of: name, in: self, status: status, carriesAttributes: carryingAttributes))
            }
        }
    }
}
