import Foundation

/// Standard output and standard error of the process.
enum StandardStreams {
    /// Results.
    static func writeOutput(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    /// Progress and messages.
    static func writeError(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    /// Columns of the terminal behind standard error; nil when it is none.
    static var errorColumns: Int? { columns(STDERR_FILENO) }

    /// Columns of the terminal behind standard output; nil when it is none.
    static var outputColumns: Int? { columns(STDOUT_FILENO) }

    private static func columns(_ descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
