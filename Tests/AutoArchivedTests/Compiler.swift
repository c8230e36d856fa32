import Foundation
import TestSupport

/// The Swift compiler, with the modules and the macros of this build.
enum Compiler {
    /// Returns the result of the compiler for the Swift files in a folder, which are one module. No code is generated.
    static func check(_ folder: URL, _ options: [String] = []) throws -> Command {
        let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized
        let products = Bundle.main.bundleURL.resolvingSymlinksInPath()
        let checkouts = products.deletingLastPathComponent().deletingLastPathComponent().appending(path: "checkouts")
        let maps = [
            products.appending(path: "CFileSystem.build/module.modulemap"),
            root.appending(path: "Sources/CAttr/module.modulemap"),
        ]
        let plugin = products.appending(path: "AutoArchivedMacros-tool").path + "#AutoArchivedMacros"
        return try Command(
            "swiftc",
            [
                "-typecheck", "-whole-module-optimization", "-parse-as-library", "-module-name", "App",
                "-swift-version", "6", "-diagnostic-style", "llvm", "-load-plugin-executable", plugin,
                "-I", products.appending(path: "Modules").path,
                "-I", checkouts.appending(path: "swift-system/Sources/CSystem/include").path,
            ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + options
                + names(in: folder).filter { $0.hasSuffix(".swift") },
            in: folder)
    }
}
