// The declarations of Foundation in use: coders. The signatures are Darwin's, which differ from those of Foundation on
// Linux: a coder's bytes are decoded with pointers, its allowed classes are a set of hashable objects, its typed decoding
// functions are not members of the class, and property lists without keys are those of macOS.

public protocol NSCoding: NSObjectProtocol {
    func encode(with coder: NSCoder)
    init?(coder: NSCoder)
}

public protocol NSSecureCoding: NSCoding {
    static var supportsSecureCoding: Bool { get }
}

open class NSCoder: NSObject {
    public enum DecodingFailurePolicy: Int, Sendable { case raiseException, setErrorAndReturn }
    open var allowsKeyedCoding: Bool { stub() }
    open var requiresSecureCoding: Bool { stub() }
    open var allowedClasses: Set<AnyHashable>? { stub() }
    open var decodingFailurePolicy: DecodingFailurePolicy { stub() }
    open var error: (any Error)? { stub() }
    open var systemVersion: UInt32 { stub() }
    open func failWithError(_ error: any Error) { stub() }
    open func version(forClassName name: String) -> Int { stub() }
    open func containsValue(forKey key: String) -> Bool { stub() }
    open func encodeValue(ofObjCType type: UnsafePointer<CChar>, at address: UnsafeRawPointer) { stub() }
    open func decodeValue(
        ofObjCType type: UnsafePointer<CChar>, at address: UnsafeMutableRawPointer, size: Int
    ) { stub() }
    open func encode(_ data: Data) { stub() }
    open func decodeData() -> Data? { stub() }
    open func encode(_ object: Any?) { stub() }
    open func encode(_ object: Any?, forKey key: String) { stub() }
    open func encodeConditionalObject(_ object: Any?, forKey key: String) { stub() }
    open func encode(_ value: Bool, forKey key: String) { stub() }
    open func encodeCInt(_ value: Int32, forKey key: String) { stub() }
    open func encode(_ value: Int32, forKey key: String) { stub() }
    open func encode(_ value: Int64, forKey key: String) { stub() }
    open func encode(_ value: Int, forKey key: String) { stub() }
    open func encode(_ value: Float, forKey key: String) { stub() }
    open func encode(_ value: Double, forKey key: String) { stub() }
    open func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) { stub() }
    open func decodeObject() -> Any? { stub() }
    open func decodeObject(forKey key: String) -> Any? { stub() }
    open func decodeBool(forKey key: String) -> Bool { stub() }
    open func decodeCInt(forKey key: String) -> Int32 { stub() }
    open func decodeInt32(forKey key: String) -> Int32 { stub() }
    open func decodeInt64(forKey key: String) -> Int64 { stub() }
    open func decodeInteger(forKey key: String) -> Int { stub() }
    open func decodeFloat(forKey key: String) -> Float { stub() }
    open func decodeDouble(forKey key: String) -> Double { stub() }
    open func decodeBytes(
        forKey key: String, returnedLength length: UnsafeMutablePointer<Int>?
    ) -> UnsafePointer<UInt8>? { stub() }
    open func decodePropertyList(forKey key: String) -> Any? { stub() }
    #if os(macOS)
    open func encodePropertyList(_ value: Any) { stub() }
    open func decodePropertyList() -> Any? { stub() }
    #endif
}

extension NSCoder {
    public final func decodeObject<T: NSObject & NSCoding>(of type: T.Type, forKey key: String) -> T? { stub() }
    public final func decodeObject(of types: [AnyClass]?, forKey key: String) -> Any? { stub() }
    public final func decodeTopLevelObject(of types: [AnyClass]?, forKey key: String) throws -> Any? { stub() }
}

open class NSKeyedUnarchiver: NSCoder {
    public unowned(unsafe) var delegate: (any NSKeyedUnarchiverDelegate)?
    public init(forReadingFrom data: Data) throws { stub() }
    open override var requiresSecureCoding: Bool {
        get { stub() }
        set { stub() }
    }
    open override var decodingFailurePolicy: DecodingFailurePolicy {
        get { stub() }
        set { stub() }
    }
    open func setClass(_ type: AnyClass?, forClassName name: String) { stub() }
    open func finishDecoding() { stub() }
    public static func unarchivedObject<T: NSObject & NSCoding>(ofClass type: T.Type, from data: Data) throws -> T? {
        stub()
    }
    public static func unarchivedObject(ofClasses types: [AnyClass], from data: Data) throws -> Any? { stub() }
}

open class NSKeyedArchiver: NSCoder {
    public unowned(unsafe) var delegate: (any NSKeyedArchiverDelegate)?
    public init(requiringSecureCoding: Bool) { stub() }
    open var encodedData: Data { stub() }
    open var outputFormat: PropertyListSerialization.PropertyListFormat {
        get { stub() }
        set { stub() }
    }
    open func setClassName(_ name: String?, for type: AnyClass) { stub() }
    open func finishEncoding() { stub() }
    open class func archivedData(withRootObject object: Any, requiringSecureCoding: Bool) throws -> Data { stub() }
}

// The functions of these protocols are optional. Those that the package implements are requirements here, so that a wrong
// signature is an error.
public protocol NSKeyedUnarchiverDelegate: NSObjectProtocol {
    func unarchiver(
        _ unarchiver: NSKeyedUnarchiver, cannotDecodeObjectOfClassName name: String,
        originalClasses classNames: [String]
    ) -> AnyClass?
}
public protocol NSKeyedArchiverDelegate: NSObjectProtocol {
    func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any?
    func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?)
}
