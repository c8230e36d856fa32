// The property that SwiftPM generates for a target with resources.
import Foundation

extension Foundation.Bundle {
    static var module: Bundle { fatalError() }
}
