import Foundation

/// Waits until a condition is true, for at most a minute.
func wait(until isTrue: () throws -> Bool) throws -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
        if try isTrue() { return true }
        usleep(2_000)
    }
    return false
}
