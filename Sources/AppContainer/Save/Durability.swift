package import FileSystem

/// How much a save has done for a file to last when it returns.
public enum Durability: Sendable, Hashable, CaseIterable {
    /// Visible; a power cut may bring back the old file, or lose a new one.
    case none
    /// The content is on the medium, its name may not be. What Foundation's atomic write gives.
    case file
    /// Content and name are on the medium: it survives a power cut.
    case full

    package var level: WriteDurability {
        switch self {
        case .none: .none
        case .file: .file
        case .full: .full
        }
    }
}
