import CFileSystem
import FileSystem

/// A moment for a power cut.
struct Cut: Sendable {
    /// The step and the call, for a report.
    let moment: String
    /// The index of the recorded image of the medium.
    let image: Int
    let promise: Promise
}

/// A recorder of the medium and the promise before and after every call that changes anything.
final class Recorder: Sendable {
    private struct Record {
        var images = [Image()]
        var cuts: [Cut] = []
        var acknowledged = 0
        var promise: Promise
        var title = "before the first step"
        var isChanged = true
        var writesBack = false
        var coin: UInt32 = 1
        var failure: (any Error)?
    }

    private let disk: Disk
    private let sabotage: Sabotage?
    private let record: LockedValue<Record>

    /// Creates a recorder with `start` as the content of the medium.
    init(_ disk: Disk, start: Promise, _ sabotage: Sabotage?) {
        self.disk = disk
        self.sabotage = sabotage
        record = LockedValue(Record(promise: start))
    }

    var images: [Image] { record.withLock { $0.images } }
    var cuts: [Cut] { record.withLock { $0.cuts } }
    /// The number of completed steps.
    var acknowledged: Int { record.withLock { $0.acknowledged } }

    /// True to flush everything to the medium at random from now on.
    func writesBack(_ isOn: Bool) { record.withLock { $0.writesBack = isOn } }

    /// Runs a step and records its cuts.
    ///
    /// - Throws: The errors of the step and of reading the medium.
    func run(_ step: Step, _ body: () throws -> Void) throws {
        record.withLock { record in
            record.promise.begin(step.outcome, by: step.between)
            record.title = step.title
            record.isChanged = true
        }
        cut("before it")
        try body()
        record.withLock { record in
            record.promise.settle()
            record.acknowledged += 1
            record.isChanged = true
        }
        cut("after it")
        if let failure = record.withLock({ $0.failure }) { throw failure }
    }

    /// Records this moment if the medium or the promise has changed.
    private func cut(_ moment: @autoclosure () -> String) {
        record.withLock { record in
            guard record.failure == nil else { return }
            do {
                if let last = record.images.last, let image = try disk.snapshot(unlike: last) {
                    record.images.append(image)
                    record.isChanged = true
                }
            } catch { record.failure = error }
            guard record.isChanged else { return }
            let title = "\(record.title), \(moment())"
            record.cuts.append(Cut(moment: title, image: record.images.count - 1, promise: record.promise))
            record.isChanged = false
        }
    }

    private func around<Result>(_ name: String, _ call: () -> Result) -> Result {
        cut("before \(name)")
        let result = call()
        record.withLock { record in
            // Source: Numerical Recipes, the quick linear congruential generator; its high bits are better.
            record.coin = record.coin &* 1_664_525 &+ 1_013_904_223
            guard record.writesBack, record.coin >> 31 == 0 else { return }
            do throws(ProgramFailure) { try disk.writeBack() } catch { record.failure = error }
        }
        cut("after \(name)")
        return result
    }

    /// The system calls with a cut before and after each one that changes anything.
    var calls: Syscalls {
        let live = Syscalls.live
        var calls = Syscalls.live
        calls.open = { directory, path, how, permissions in
            guard how & CFS_CREATE_NEW != 0 else { return live.open(directory, path, how, permissions) }
            return self.around("create") { live.open(directory, path, how, permissions) }
        }
        calls.close = { file in self.around("close") { live.close(file) } }
        calls.write = { file, bytes, count in self.around("write") { live.write(file, bytes, count) } }
        calls.startWriting = { file, offset, count in
            self.around("start of writing") { live.startWriting(file, offset, count) }
        }
        calls.sync = { file in
            self.around("sync") { self.sabotage?.isSyncLeftOut(file) == true ? 0 : live.sync(file) }
        }
        calls.writeAttribute = { file, name, attribute, value, count in
            self.around("write attribute") { live.writeAttribute(file, name, attribute, value, count) }
        }
        calls.removeAttribute = { file, name, attribute in
            self.around("remove attribute") { live.removeAttribute(file, name, attribute) }
        }
        calls.copyAttributes = { from, to, hasAccessList in
            self.around("copy attributes") {
                self.sabotage == .attributes ? 0 : live.copyAttributes(from, to, hasAccessList)
            }
        }
        calls.copyAccessList = { from, to in self.around("copy access list") { live.copyAccessList(from, to) } }
        calls.setOwner = { file, user, group in self.around("set owner") { live.setOwner(file, user, group) } }
        calls.setLinkOwner = { directory, name, user, group in
            self.around("set owner") { live.setLinkOwner(directory, name, user, group) }
        }
        calls.setPermissions = { file, mode in self.around("set permissions") { live.setPermissions(file, mode) } }
        calls.setTimes = { file, accessed, modified in
            self.around("set times") { live.setTimes(file, accessed, modified) }
        }
        calls.setLinkTimes = { directory, name, accessed, modified in
            self.around("set times") { live.setLinkTimes(directory, name, accessed, modified) }
        }
        calls.setNoDump = { file in self.around("set nodump") { live.setNoDump(file) } }
        calls.rename = { from, old, to, new in self.around("rename") { live.rename(from, old, to, new) } }
        calls.renameNew = { from, old, to, new in
            self.around("rename to a new name") { live.renameNew(from, old, to, new) }
        }
        calls.exchange = { from, old, to, new in self.around("exchange") { live.exchange(from, old, to, new) } }
        calls.remove = { directory, name, isDirectory in
            self.around("remove") { live.remove(directory, name, isDirectory) }
        }
        calls.makeDirectory = { directory, name, mode in
            self.around("make directory") { live.makeDirectory(directory, name, mode) }
        }
        calls.createSymbolicLink = { directory, name, target in
            self.around("make link") { live.createSymbolicLink(directory, name, target) }
        }
        return calls
    }
}
