// The declarations of Security that the advice of the rules uses. The types of Core Foundation are those that Swift bridges
// them to.
@_exported import Foundation

public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

public var kSecClass: CFString { stub() }
public var kSecClassGenericPassword: CFString { stub() }
public var kSecAttrAccount: CFString { stub() }
public var kSecValueData: CFString { stub() }
public var kSecAttrAccessible: CFString { stub() }
public var kSecAttrAccessibleAfterFirstUnlock: CFString { stub() }
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { stub() }

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { stub() }

private func stub() -> Never { fatalError() }
