import Foundation

/// `power-cuts`: saves at `.full` on real file systems, with a power cut at every call that changes anything.
@main
struct PowerCuts {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let options: Options
        do throws(Options.Misuse) { options = try Options(arguments) } catch { end(2, "\(error)\n\(Options.usage)") }
        if let reason = Workplace.obstacle() {
            print("power cuts skipped: \(reason)")
            exit(options.isRequired ? 1 : 0)
        }
        guard options.isInside else {
            Workplace.enter(arguments + ["--inside"])
            end(1, "cannot start unshare")
        }
        do {
            let workplace = try Workplace()
            let signals = workplace.leaveOnSignals()
            let isGood = options.kinds.map { run($0, options, in: workplace) }.allSatisfy { $0 }
            withExtendedLifetime(signals) { workplace.leave() }
            exit(isGood ? 0 : 1)
        } catch { end(1, "\(error)") }
    }

    /// Runs all trials of one file system. Returns true if they have the expected results.
    private static func run(_ kind: FileSystemKind, _ options: Options, in workplace: Workplace) -> Bool {
        var isGood = true
        let sabotages: [Sabotage?] = options.isSelfTest ? Sabotage.allCases : [nil]
        for sabotage in sabotages {
            let title = "\(kind)\(sabotage.map { ", " + $0.rawValue } ?? "")"
            // A long run is watched.
            defer { fflush(nil) }
            do {
                let trial = try Trial(kind, cuts: options.cuts, sabotage, in: workplace)
                let faults = trial.faults(after: sabotage)
                print((["\(title): \(trial)"] + faults).joined(separator: "\n  "))
                if !faults.isEmpty { isGood = false }
            } catch let obstacle as Obstacle {
                print("\(kind) skipped: \(obstacle.reason)")
                return !options.isRequired
            } catch {
                print("\(title): \(error)")
                isGood = false
            }
        }
        return isGood
    }

    private static func end(_ code: Int32, _ message: String) -> Never {
        FileHandle.standardError.write(Data("power-cuts: \(message)\n".utf8))
        exit(code)
    }
}
