internal import BackupRepository

/// How much of one container an importation holds in memory: no container that was seen has a hundredth of it, and a
/// hostile manifest must not take all there is.
struct ImportRoom {
    private let mostItems: Int
    private let mostBytes: Int
    private var items = 0
    private var bytes = 0

    init(items: Int = 2_000_000, bytes: Int = 256 << 20) { (mostItems, mostBytes) = (items, bytes) }

    /// Takes the room of an item, of a directory that is made or of what is named, which has a path, and of a link's
    /// target.
    ///
    /// - Throws: `failed` where there is no more.
    mutating func take(_ path: [UInt8], _ target: [UInt8] = []) throws(BackupError) {
        items += 1
        bytes += path.count + target.count
        guard items <= mostItems, bytes <= mostBytes else {
            throw BackupError(
                .failed,
                "the backup tells of more in one container than is held in memory: \(mostItems) items, made directories "
                    + "and incidents, and \(mostBytes) bytes of their paths",
                hint: "import the other containers one by one with --bundle-id")
        }
    }
}
