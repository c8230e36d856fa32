// both: cannot convert value of type 'UInt32' to expected argument type 'CModeT'
import SystemPackage

/// On Linux `mode_t` has 32 bits.
func permissions(_ mode: UInt32) -> FilePermissions { FilePermissions(rawValue: mode) }
