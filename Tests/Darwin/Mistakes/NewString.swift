// both: 'strchrnul'
import Foundation

// Linux has it, and macOS 15.4 and iOS 18.4.
func end(_ text: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>? { strchrnul(text, 47) }
