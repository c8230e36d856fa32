/// The system that the tests run on.
public enum Platform {
    #if os(Linux)
    /// True on Linux. Some tests need its programs, its file systems, or its kernel's interfaces.
    public static let isLinux = true
    #else
    /// True on Linux. Some tests need its programs, its file systems, or its kernel's interfaces.
    public static let isLinux = false
    #endif

    /// True if a name may consist of any bytes. APFS refuses names that are not UTF-8.
    public static let allowsAnyNames = isLinux
}
