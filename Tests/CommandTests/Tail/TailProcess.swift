import Foundation
import Subprocess
import SuiteFixture

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// The real `bookstrack tail` with its output on a terminal or in a pipe.
final class TailProcess: Sendable {
    enum Screen {
        /// A pseudo-terminal of so many columns.
        case terminal(columns: UInt16)
        case pipe
    }

    struct Failure: Error {}

    /// What it wrote, piece by piece.
    private let pieces = Mailbox<String>()
    private let reader: Int32
    let pid: Int32
    private let ending: Task<Int32?, Never>

    /// - Parameter isRead: Whether what it writes is read.
    init(
        _ arguments: [String], screen: Screen, folder: String, environment: [String: String] = [:], isRead: Bool = true
    ) async throws {
        let (reader, writer) = try Self.open(screen)
        var variables = ["BOOKSTRACK_RUNTIME_DIR": folder, "BOOKSTRACK_DATA_DIR": folder, "TERM": "xterm", "TZ": "UTC"]
        variables.merge(environment) { $1 }
        let configuration = Configuration(
            executable: .path(FilePath(BuiltProduct.commandLine.path)), arguments: Arguments(["tail"] + arguments),
            environment: .custom(
                Dictionary(uniqueKeysWithValues: variables.map { (Environment.Key(stringLiteral: $0), $1) })))
        let (pids, pidArrived) = AsyncStream<Int32>.makeStream()
        ending = Task {
            defer { pidArrived.finish() }
            let result = try? await run(
                configuration, input: .none,
                output: .fileDescriptor(FileDescriptor(rawValue: writer), closeAfterSpawningProcess: true),
                error: .discarded
            ) { execution in
                pidArrived.yield(execution.processIdentifier.value)
            }
            if case .exited(let code)? = result?.terminationStatus { return code }
            return nil
        }
        guard let pid = await pids.first(where: { _ in true }) else { throw Failure() }
        self.pid = pid
        self.reader = reader
        if isRead { read() }
    }

    /// Waits until it has written `text`; returns all it has written so far.
    func written(upTo text: String) async -> String {
        var whole = ""
        while !whole.contains(text) { whole += await pieces.take() }
        return whole
    }

    func interrupt() { kill(pid, SIGINT) }

    /// Its exit status; nil when a signal ended it.
    func exitStatus() async -> Int32? { await ending.value }

    /// Stops to read what it writes, as `head` does.
    func closeReader() { close(reader) }

    private func read() {
        let (reader, pieces) = (reader, pieces)
        DispatchQueue.global().async {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = Foundation.read(reader, &bytes, bytes.count)
                guard count > 0 else { return }
                pieces.put(String(decoding: bytes[..<count], as: UTF8.self))
            }
        }
    }

    private static func open(_ screen: Screen) throws -> (reader: Int32, writer: Int32) {
        switch screen {
        case .pipe:
            var ends: [Int32] = [0, 0]
            guard Foundation.pipe(&ends) == 0 else { throw Failure() }
            // A child that kept the reading end open would hide that the reader has gone.
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        case .terminal(let columns):
            let terminal = try PseudoTerminal(columns: columns)
            return (terminal.reader, terminal.writer)
        }
    }
}
