// both: value of optional type 'UserDefaults?' must be unwrapped
import Foundation

/// There are no defaults for an empty name and for the name of the app.
func set(_ value: String, in group: String) { UserDefaults(suiteName: group).set(value, forKey: "key") }
