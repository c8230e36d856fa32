// both: cannot use mutating member on immutable value: 'directory' is a 'let' constant
import Foundation

/// A URL keeps its resource values, so setting them changes it.
func exclude(_ directory: URL) throws {
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try directory.setResourceValues(values)
}
