import ArgumentParser
import TextOutput

/// The form of what is shown.
enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

extension ColorChoice: ExpressibleByArgument {}
