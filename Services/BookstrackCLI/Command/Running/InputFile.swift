import Foundation

/// A file, a pipe or a device that a command reads to its end.
struct InputFile {
    private static let chunk = 256 << 10

    let bytes: Data
    /// Whether the argument is the path of a regular file, whose name means something to users; `-` and the path of a pipe or device do not.
    let isRegular: Bool

    /// Reads the file at a path, or standard input if it is `-`. Throws `CommandFailure`; a missing file is `noInput`.
    init(argument: String) throws {
        let name = argument == "-" ? "standard input" : argument
        let descriptor = argument == "-" ? dup(STDIN_FILENO) : open(argument, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(errno, name) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(errno, name) }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR else { throw CommandFailure(.badInput, "\(name) is a directory") }
        isRegular = kind == S_IFREG && argument != "-"
        if isRegular, let mapped = try? Data(contentsOf: URL(filePath: argument), options: .mappedIfSafe) {
            bytes = mapped
        } else {
            bytes = try Self.readToEnd(of: descriptor, name)
        }
    }

    /// Reads the file at a path; nil if there is none. Throws `CommandFailure`, also if it cannot be determined whether there is a file.
    static func ifPresent(_ path: String) throws -> InputFile? {
        let isMissing = access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG)
        return isMissing ? nil : try InputFile(argument: path)
    }

    private static func readToEnd(of descriptor: CInt, _ name: String) throws -> Data {
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = read(descriptor, &buffer, chunk)
            if count == 0 { return bytes }
            if count > 0 {
                bytes.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                throw failure(errno, name)
            }
        }
    }

    private static func failure(_ code: Int32, _ name: String) -> CommandFailure {
        switch code {
        case EBADF: CommandFailure(.noInput, "\(name) is closed")
        case EACCES, EPERM: CommandFailure(errno: code, "cannot read \(name)")
        default: CommandFailure(.noInput, "cannot read \(name): \(String(cString: strerror(code)))")
        }
    }
}
