package import ArgumentParser
internal import FileSystem
internal import SystemPackage
internal import TextOutput

/// The password of an encrypted device backup: from a file, from the environment, or from the user.
package struct BackupPasswordOptions: ParsableArguments {
    /// The environment variable for the password.
    package static let variable = "DEVICE_BACKUP_PASSWORD"

    // In `sandboxbackup create`, --password-file is that of the engine's repository, and only the second name is left.
    @Option(
        name: [.customLong("password-file"), .customLong("backup-password-file")],
        help: ArgumentHelp(
            "Read the password of an encrypted device backup from a file. (default: DEVICE_BACKUP_PASSWORD, or a prompt on "
                + "the terminal)", valueName: "file"))
    package var passwordFile: String?

    package init() {}

    /// True if the password is in a file or a variable, so that `password(of:)` does not ask on the terminal.
    package var isStored: Bool {
        passwordFile != nil || Invocation.current.environment[Self.variable].map { !$0.isEmpty } ?? false
    }

    /// Returns the password of a backup.
    ///
    /// - Parameter name: The name of the backup for the prompt.
    /// - Returns: Nil without a file, a variable, and a terminal or an answer.
    /// - Throws: `UnreadablePassword`.
    package func password(of name: String) throws -> String? { try Self.password(of: name, file: passwordFile) }

    /// Returns the password of a backup from the file of another option. See `password(of:)`.
    package static func password(of name: String, file: String?) throws -> String? {
        if let file {
            do throws(FileSystemError) {
                guard let password = try PasswordInput.password(inFile: FilePath(file)) else {
                    throw FileSystemError(
                        "read as text the password file", path: FilePath(file), errno: .illegalByteSequence)
                }
                return password
            } catch { throw UnreadablePassword(cause: error) }
        }
        if let password = Invocation.current.environment[variable], !password.isEmpty { return password }
        // The terminal of the process does not belong to a command whose input is something else.
        guard Invocation.current.standardInput.isOfProcess else { return nil }
        return PasswordInput.askTerminal("Password of the backup \(ByteText.printable(name)): ")
    }
}

/// A password file that cannot be read.
package struct UnreadablePassword: Error, CustomStringConvertible {
    let cause: FileSystemError

    package var description: String {
        cause.errno == .fileTooLarge
            ? "the password file “\(cause.path.string.printable)” is longer than \(PasswordInput.maximumSize) bytes"
            : "\(cause)"
    }
}
