// The file that SwiftPM generates for a target with resources.
internal import Foundation

extension Bundle {
    static var module: Bundle { fatalError() }
}
