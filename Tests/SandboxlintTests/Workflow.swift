import Foundation
import TestSupport
import Testing

/// Shared parts of the tests of CI integrations.
enum Workflow {
    static let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized
    static let example = root.appending(path: "Examples/.github/workflows/container.yml")

    /// A checkout of this repository in which a stand-in replaces `swift build`: it copies the built linter to the build
    /// folder. Everything but the compiler is real.
    struct Checkout {
        let folder: URL
        let environment: [String: String]
        fileprivate let log: URL

        /// The number of builds.
        func builds() throws -> Int { try String(contentsOf: log, encoding: .utf8).split(separator: "\n").count }
    }

    static func checkout(in scratch: URL) throws -> Checkout {
        let (folder, tools) = (scratch.appending(path: "checkout"), scratch.appending(path: "tools"))
        let log = scratch.appending(path: "builds")
        try Data().write(to: log)
        try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
        let swift = """
            #!/bin/bash
            set -eu
            [ -z "${GIT_DIR:-}" ] || { echo "fatal: not this repository" >&2; exit 1; }
            [[ " $* " == *" build "*" -c release "*" --product sandboxlint "* ]]
            while [ "$1" != --scratch-path ]; do shift; done
            mkdir -p "$2/release"
            rm -f "$2/release/sandboxlint"
            ln "$BUILT_LINTER" "$2/release/sandboxlint" 2>/dev/null || cp "$BUILT_LINTER" "$2/release/sandboxlint"
            echo built >> "$BUILDS"
            """
        try Data(swift.utf8).write(to: tools.appending(path: "swift"))
        let made = try Command(
            "bash",
            [
                "-c",
                """
                set -eu
                chmod +x "$3/swift"
                git clone -q "$1" "$2"
                cd "$2"
                cp "$1"/{Makefile,action.yml,.pre-commit-hooks.yaml} .
                cp -R "$1"/scripts/. scripts
                git add -A
                git -c user.name=tests -c user.email=tests@example.com commit -q --allow-empty -m 'As it is here'
                """, "bash", root.path, folder.path, tools.path,
            ])
        #expect(made.code == 0, "\(made.errors)")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return Checkout(
            folder: folder,
            environment: [
                "PATH": "\(tools.path):\(path)", "BUILT_LINTER": Command.sandboxlint, "BUILDS": log.path,
            ], log: log)
    }
}
