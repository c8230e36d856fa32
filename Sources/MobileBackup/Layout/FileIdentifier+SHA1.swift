internal import Crypto

extension FileIdentifier {
    init(of domain: BackupDomain, _ path: BackupPath) {
        self.init(of: domain, path, sha1: Self.sha1)
    }

    /// Returns the SHA-1 of bytes.
    static func sha1(_ bytes: [UInt8]) -> [UInt8] { Array(Insecure.SHA1.hash(data: bytes)) }
}
