/// The options of the tool.
struct Options {
    static let usage = """
        usage: power-cuts [--cuts N] [--file-system ext4|xfs|btrfs]… [--self-test] [--require]
          --cuts N         at least so many cuts for each file system (300)
          --file-system F  this one only; may be given more than once
          --self-test      leave out syncs and prove that the losses are found
          --require        fail where a file system cannot be had, instead of skipping it
        """

    struct Misuse: Error, CustomStringConvertible { let description: String }

    private(set) var cuts = 300
    private(set) var kinds: [FileSystemKind] = []
    private(set) var isSelfTest = false
    private(set) var isRequired = false
    /// True for the process in a namespace of its own.
    private(set) var isInside = false

    init(_ arguments: [String]) throws(Misuse) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--cuts":
                guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else {
                    throw Misuse(description: "--cuts takes a number above 0")
                }
                cuts = number
            case "--file-system":
                guard let kind = rest.popFirst().flatMap({ FileSystemKind(rawValue: $0) }) else {
                    throw Misuse(description: "--file-system takes ext4, xfs or btrfs")
                }
                kinds.append(kind)
            case "--self-test": isSelfTest = true
            case "--require": isRequired = true
            case "--inside": isInside = true
            default: throw Misuse(description: "what is “\(argument)”?")
            }
        }
        if kinds.isEmpty { kinds = FileSystemKind.allCases }
    }
}
