import ArgumentParser

@main
struct Hello: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hello", abstract: "Greet, and be the yardstick of start-up.", version: "1.0.0")

    func run() {
        print("Hello, world!")
    }
}
