// both: 'Mutex' is only available in
import Synchronization

final class NewMutex: Sendable {
    let count = Mutex(0)
}
