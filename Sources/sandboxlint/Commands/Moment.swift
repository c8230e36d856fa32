import ArgumentParser
import StoragePolicy

/// A moment on the command line, in universal time.
struct Moment: ExpressibleByArgument {
    let seconds: Int64

    init?(argument: String) {
        guard let seconds = Moments.seconds(argument) else { return nil }
        self.seconds = seconds
    }
}
