import AppContainer
import ArgumentParser
import BackupPlan
import CommandLineSupport
import ContainerInputs
import FileSystem
import Foundation
import SystemPackage
import TextOutput

extension BackupView: ExpressibleByArgument {}

/// The argument that names a container.
enum ContainerArgument {
    static let help: ArgumentHelp = """
        The container of an app: the directory that contains Documents, Library and tmp, a package .xcappdata, a simulated \
        device, a directory that holds containers, an archive (zip, tar), or a device backup.
        """
}

/// The rules of the plan of a container, for `plan` and `create`.
struct PlanOptions: ParsableArguments {
    @Option(help: "Plan the backup that Finder (finder: encrypted, finder-unencrypted) or iCloud (icloud) makes.")
    var view: BackupView = .finder
    @Flag(help: "Exclude the content of directories that contain a CACHEDIR.TAG, but not the tag.")
    var excludeCachesTag = false
    @Flag(help: "Exclude items with the nodump flag (chattr +d, chflags nodump).")
    var excludeNodump = false
    @Option(
        help: ArgumentHelp(
            "Exclude items that match a pattern, with everything below them; repeat the option for several.",
            discussion: """
                A pattern without a slash is compared with names, any other with paths from the container. * and ? match \
                within a name, ** matches any directories, [a-z] matches one character, and \\ quotes the next one.
                """, valueName: "pattern"))
    var exclude: [String] = []
    @Option(
        help: ArgumentHelp(
            "Read patterns from a file: one per line, without empty lines and those that begin with #.",
            valueName: "file"))
    var excludeFile: [String] = []
    @Option(help: ArgumentHelp("Exclude files that are larger, such as 500KB, 10MiB or 2GB.", valueName: "size"))
    var excludeLargerThan: ByteSize?

    /// The rules, with the patterns of all files.
    ///
    /// - Throws: `ValidationError` for an invalid pattern or a file that cannot be read.
    var rules: BackupRules {
        get throws {
            var rules = BackupRules(view: view)
            (rules.respectsCacheTags, rules.respectsNoDump) = (excludeCachesTag, excludeNodump)
            rules.excluded = try patterns
            rules.largestFile = excludeLargerThan?.bytes
            return rules
        }
    }

    /// The patterns of the options; nil without one.
    private var patterns: ItemPatterns? {
        get throws {
            var texts = exclude
            for path in excludeFile { texts += try Self.lines(of: path) }
            if let text = texts.first(where: { $0.hasPrefix("!") }) {
                throw ValidationError(
                    "The pattern “\(ByteText.printable(text))” begins with !, which does not include items again. Quote it "
                        + "as \\! to exclude such a name.")
            }
            return texts.isEmpty ? nil : try ItemPatterns.parse(texts)
        }
    }

    private static func lines(of path: String) throws -> [String] {
        let bytes: [UInt8]
        do throws(FileSystemError) { bytes = try OpenFile(opening: FilePath(path)).contents(limit: 16 << 20) } catch {
            throw ValidationError("Cannot read the patterns in “\(ByteText.printable(path))”: \(error.errno).")
        }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map {
            $0.trimmingCharacters(in: .whitespaces)
        }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}

extension ItemPatterns {
    /// Creates patterns from the texts of arguments.
    ///
    /// - Throws: `ValidationError`.
    static func parse(_ texts: [String], ignoringCase ignoresCase: Bool = false) throws -> Self {
        do throws(PathPattern.TooLong) { return try ItemPatterns(texts, ignoringCase: ignoresCase) } catch {
            throw ValidationError("\(error). Use a shorter one.")
        }
    }
}

/// A number of bytes of an argument: `500`, `500KB`, `10MiB`.
struct ByteSize: ExpressibleByArgument {
    let bytes: UInt64

    init?(argument: String) {
        guard let bytes = Quantity.readBytes(argument) else { return nil }
        self.bytes = bytes
    }
}

extension InputContainer {
    /// Prints a note if reading the container changes access times.
    func noteAccessTimes() {
        // On Linux only root and the owner of a file may read it without changing its access time (O_NOATIME).
        guard !isCopy, geteuid() != 0, let owner = try? container.folder.status("").owner.user, owner != geteuid()
        else { return }
        StandardError.printNote(
            "note: the container belongs to another user, so reading changes the access times of its files")
    }
}
