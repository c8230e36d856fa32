import AppContainer
import ArgumentParser
import CommandLineSupport
import Dispatch
import FileSystem
import TextOutput

extension ProgressChoice: ExpressibleByArgument {}

extension ProgressLine {
    /// Creates the progress line of a linter.
    convenience init(_ choice: ProgressChoice) { self.init(choice, of: "sandboxlint", counting: "item") }

    /// Counts the items of all containers in the background, as the expected total.
    func count(_ containers: [Container]) {
        guard isWatched else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
            var sum = 0
            for container in containers {
                guard let count = container.folder.countEntries(unless: { self?.isOver ?? true }) else { return }
                sum += count
            }
            self?.expect(ProgressAmount(items: sum))
        }
    }
}
