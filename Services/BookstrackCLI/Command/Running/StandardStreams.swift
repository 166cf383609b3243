import Foundation

/// Standard output and standard error of the process.
enum StandardStreams {
    /// Results. A reader that has gone, as `head` does, ends the process as SIGPIPE would, which NIO has ignored.
    static func writeOutput(_ text: String) {
        if !write(text, to: STDOUT_FILENO) { exit(128 + SIGPIPE) }
    }

    /// Progress and messages; nobody needs to read them.
    static func writeError(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    /// Columns of the terminal behind standard error; nil when it is none.
    static var errorColumns: Int? { columns(STDERR_FILENO) }

    /// Columns of the terminal behind standard output; nil when it is none.
    static var outputColumns: Int? { columns(STDOUT_FILENO) }

    /// Rows of the terminal behind standard output; nil when it is none.
    static var outputRows: Int? { size(STDOUT_FILENO).map { Int($0.ws_row) }.flatMap { $0 > 0 ? $0 : nil } }

    /// Whether everything was written.
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = ArraySlice(text.utf8)
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
        }
        return true
    }

    private static func columns(_ descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        guard let size = size(descriptor), size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static func size(_ descriptor: Int32) -> winsize? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }
}
