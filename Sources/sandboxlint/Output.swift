import ArgumentParser
import FileSystem
import Foundation
import PolicyReports

/// When text is coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never

    /// By the terminal and what its owner asks for: no-color.org, force-color.org, TERM=dumb.
    var style: Style {
        let environment = ProcessInfo.processInfo.environment
        switch self {
        case .always: return Style(colored: true)
        case .never: return Style(colored: false)
        case .auto:
            if environment["NO_COLOR"]?.isEmpty == false { return Style(colored: false) }
            if environment["FORCE_COLOR"]?.isEmpty == false { return Style(colored: true) }
            return Style(colored: environment["TERM"] != "dumb" && Host.isTerminal(1))
        }
    }
}

/// The form of what is shown.
enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// Standard output, written in large pieces.
final class Output {
    private var buffer = Data()

    func write(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= 1 << 16 { flush() }
    }

    func flush() {
        // A reader that has gone away (`| head`) is no error of ours.
        try? FileHandle.standardOutput.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
