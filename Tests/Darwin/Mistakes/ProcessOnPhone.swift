// iOS: cannot find 'Process' in scope
import Foundation

func run(_ program: URL) throws {
    let process = Process()
    process.executableURL = program
    try process.run()
}
