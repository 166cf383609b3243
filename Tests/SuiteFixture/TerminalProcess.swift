import Foundation
import NIOConcurrencyHelpers

/// The command-line tool on a controlling pseudo-terminal, as when a user runs it: Ctrl-C is typed like any other key.
package final class TerminalProcess: Sendable {
    private let pid: pid_t
    private let terminal: PseudoTerminal
    private let output = NIOLockedValueBox("")
    private let ending: Task<Int32?, Never>

    /// Starts the tool with this environment, in which `TERM` defaults to `xterm`.
    package init(_ arguments: [String], environment: [String: String], columns: UInt16 = 80) throws {
        terminal = try PseudoTerminal(columns: columns)
        pid = try Self.spawn([BuiltProduct.commandLine.path] + arguments, environment, on: terminal.path)
        terminal.closeWriter()
        let pid = pid
        ending = Task.detached {
            await withCheckedContinuation { ended in
                Thread.detachNewThread {
                    var status: Int32 = 0
                    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
                    // WIFEXITED and WEXITSTATUS of wait(2).
                    ended.resume(returning: status & 0x7F == 0 ? (status >> 8) & 0xFF : nil)
                }
            }
        }
        read()
    }

    /// The output so far, including control sequences.
    package var written: String { output.withLockedValue { $0 } }

    /// Waits until the tool has written `text`. Throws after a minute.
    package func waits(for text: String) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !written.contains(text) {
            guard ContinuousClock.now < deadline else {
                throw ServiceProcess.Failure(
                    description: "the tool never wrote \"\(text)\", only: \(written.suffix(2_000))")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Types text on the tool's terminal; `\u{03}` is Ctrl-C.
    package func type(_ keys: String) { terminal.type(keys) }

    /// Sends the tool a signal (kill(2)).
    package func send(_ signal: Int32) { kill(pid, signal) }

    /// Waits until the tool has exited and then, for at most 10 s, until all its output has been read. Returns nil if a signal ended the tool.
    package func exitStatus() async throws -> Int32? {
        let status = await ending.value
        let deadline = ContinuousClock.now + .seconds(10)
        while !terminal.isDrained, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(10)) }
        return status
    }

    private func read() {
        let (terminal, output) = (terminal, output)
        Thread.detachNewThread {
            while let bytes = terminal.read() {
                output.withLockedValue { $0 += String(decoding: bytes, as: UTF8.self) }
            }
        }
    }

    /// Starts the tool as the leader of a new session: the terminal that it opens becomes the session's controlling terminal
    /// (setsid(2), termios "The Controlling Terminal").
    private static func spawn(_ command: [String], _ environment: [String: String], on path: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0)
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID from spawn.h, which is not imported into Swift, and default signals.
        posix_spawnattr_setflags(&attributes, 0x80 | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
        var usual = sigset_t()
        sigfillset(&usual)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        sigemptyset(&usual)
        posix_spawnattr_setsigmask(&attributes, &usual)
        let variables = environment.merging(["TERM": environment["TERM"] ?? "xterm"]) { $1 }.map { "\($0)=\($1)" }
        let (arguments, values) = (command.map { strdup($0) } + [nil], variables.map { strdup($0) } + [nil])
        defer { for text in arguments + values { free(text) } }
        var pid: pid_t = 0
        let fault = posix_spawn(&pid, command[0], &actions, &attributes, arguments, values)
        guard fault == 0 else {
            throw ServiceProcess.Failure(description: "\(command[0]): \(String(cString: strerror(fault)))")
        }
        return pid
    }
}

/// A pseudo-terminal of 24 rows (pty(7)).
package final class PseudoTerminal: Sendable {
    /// Descriptor of the user's side.
    package let reader: Int32
    /// Path of the program's side.
    package let path: String
    /// A descriptor of the program's side, which can be passed to the program.
    package let writer: Int32
    private let drained = NIOLockedValueBox(false)

    package init(columns: UInt16) throws {
        reader = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number): (Int32, UInt32) = (0, 0)
        guard reader >= 0, ioctl(reader, Self.setLock, &unlocked) == 0, ioctl(reader, Self.readNumber, &number) == 0
        else { throw ServiceProcess.Failure(description: "no pseudo-terminal is available") }
        path = "/dev/pts/\(number)"
        writer = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard writer >= 0, ioctl(writer, UInt(TIOCSWINSZ), &size) == 0 else {
            throw ServiceProcess.Failure(description: "\(path) cannot be opened")
        }
    }

    /// Closes the program's side once a program has the terminal, so the terminal ends with that program.
    func closeWriter() { close(writer) }

    /// Whether all output has been read and no more will follow.
    var isDrained: Bool { drained.withLockedValue { $0 } }

    func type(_ keys: String) { _ = keys.withCString { write(reader, $0, strlen($0)) } }

    /// The next bytes; nil once the program's side is closed.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = Foundation.read(reader, &bytes, bytes.count)
        guard count > 0 else {
            drained.withLockedValue { $0 = true }
            close(reader)
            return nil
        }
        return Array(bytes[..<count])
    }

    /// `TIOCSPTLCK` and `TIOCGPTN` from ioctl_tty(2), which are not imported into Swift.
    private static let setLock: UInt = 0x4004_5431
    private static let readNumber: UInt = 0x8004_5430
}
