package import FileSystem

/// The durability of a save when the call returns.
public enum Durability: Sendable, Hashable, CaseIterable {
    /// The file is visible. After a power loss the old file may be back, or a new file may be missing.
    case none
    /// The content is on disk, but the name may not be. Foundation's atomic write provides this durability.
    case file
    /// Content and name are on disk: the save survives a power loss.
    case full

    package var level: WriteDurability {
        switch self {
        case .none: .none
        case .file: .file
        case .full: .full
        }
    }
}
