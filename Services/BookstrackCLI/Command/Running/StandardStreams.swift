import Foundation
import ServiceKit

/// Standard output and standard error of the process.
enum StandardStreams {
    /// Results. A reader that has gone, as `head` does, ends the process as SIGPIPE would, which NIO has ignored; whatever else
    /// keeps them from being written, such as a full disk, ends it with a message.
    static func writeOutput(_ text: String) {
        switch write(text, to: STDOUT_FILENO) {
        case nil: return
        case EPIPE: exit(128 + SIGPIPE)
        case let fault?:
            writeError("standard output cannot be written: \(String(cString: strerror(fault)))\n")
            exit(ExitStatus.cannotWrite.rawValue)
        }
    }

    /// Progress and messages; they need not be read.
    static func writeError(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    /// A message for a person, on lines of its own; on a terminal they are broken between words.
    static func writeMessage(_ text: String) {
        let lines = errorColumns.map { TextWrap.message(text, columns: $0) } ?? [text]
        writeError(lines.map { $0 + "\n" }.joined())
    }

    /// Columns of the terminal behind standard error; nil when it is none.
    static var errorColumns: Int? { columns(STDERR_FILENO) }

    /// Columns of the terminal behind standard output; nil when it is none.
    static var outputColumns: Int? { columns(STDOUT_FILENO) }

    /// Rows of the terminal behind standard output; nil when it is none.
    static var outputRows: Int? { size(STDOUT_FILENO).map { Int($0.ws_row) }.flatMap { $0 > 0 ? $0 : nil } }

    /// Writes everything, and waits for a reader of a descriptor that does not block. Returns the error number of what prevented it.
    static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var text = text
        return text.withUTF8 { DescriptorOutput.write(UnsafeRawBufferPointer($0), to: descriptor).fault }
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
