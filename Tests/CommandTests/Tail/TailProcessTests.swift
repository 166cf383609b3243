import Foundation
import JSONRPC
import NIOCore
import Observability
import Subprocess
import SuiteFixture
import SuiteMethods
import TestSupport
import Testing
@testable import BookstrackCLI

@Suite("The tail as a process", .timeLimit(.minutes(1)))
struct TailProcessTests {
    /// Follows a fake service that sends one request's event; returns the output.
    private func shown(
        on screen: CommandProcess.Screen, _ arguments: [String] = [], environment: [String: String] = [:],
        upTo end: String
    ) async throws -> String {
        let stage = try TailStage()
        let service = try await stage.service(.apiProxy)
        let process = try await CommandProcess(
            ["tail"] + arguments + ["api-proxy"], screen: screen, folder: stage.folder, environment: environment)
        let event = try TailSamples.request("/v1/search/title?q=\u{1B}[31m" + String(repeating: "本棚", count: 30))
        try await service.subscriptions.take().send([event])
        let written = try await process.written(upTo: end)
        process.interrupt()
        #expect(await process.exitStatus() == 0)
        await service.stop()
        return written
    }

    @Test("on a terminal, the output is pretty, colored and as wide as the terminal")
    func terminal() async throws {
        let written = try await shown(on: .terminal(columns: 80), upTo: "req 0e0e4736")
        #expect(written.contains("\u{1B}[32m200\u{1B}[0m"))
        #expect(written.contains("…"))
        #expect(!written.contains("\u{1B}[31m"))
        let wide = try await shown(on: .terminal(columns: 140), upTo: "req 0e0e4736")
        #expect(wide.contains(#"\u{1B}[31m"#))
        let plain = written.replacing(/\u{1B}\[[0-9]+m/, with: "")
        #expect(plain.split(whereSeparator: \.isNewline).allSatisfy { DisplayWidth.of($0) <= 80 })
    }

    @Test("with NO_COLOR, the output is pretty but without colors")
    func noColor() async throws {
        let written = try await shown(on: .terminal(columns: 80), environment: ["NO_COLOR": "1"], upTo: "…")
        #expect(!written.contains("\u{1B}"))
        #expect(written.contains("14:03:59.042"))
    }

    @Test("without a terminal, the output is JSON or, on request, pretty without colors")
    func pipe() async throws {
        let json = try await shown(on: .pipe, upTo: "}\n")
        let event = try JSONDecoder().decode(TailEvent.self, from: Data(json.utf8))
        #expect(event.event?.response?.status == 200)
        let pretty = try await shown(on: .pipe, ["--format", "pretty"], upTo: "req 0e0e4736")
        #expect(!pretty.contains("\u{1B}"))
        #expect(pretty.contains("14:03:59.042"))
    }

    @Test("if the reader of its output exits, the tail ends with the exit status that a shell reports for SIGPIPE")
    func closedPipe() async throws {
        let stage = try TailStage()
        let service = try await stage.service(.apiProxy)
        let process = try await CommandProcess(
            ["tail", "api-proxy"], screen: .pipe, folder: stage.folder, isRead: false)
        let subscription = try await service.subscriptions.take()
        process.closeReader()
        subscription.send([try TailSamples.request()])
        #expect(await process.exitStatus() == 128 + SIGPIPE)
        await service.stop()
    }

    @Test("Ctrl-C ends the tail even if its output is not read")
    func stuckReader() async throws {
        let stage = try TailStage()
        let service = try await stage.service(.apiProxy)
        let process = try await CommandProcess(
            ["tail", "api-proxy"], screen: .pipe, folder: stage.folder, isRead: false)
        let subscription = try await service.subscriptions.take()
        let ping = ByteBuffer(string: "{}")
        // A pipe holds 64 KiB; when pings are no longer answered, the pipe is full and everything else is waiting.
        let event = try TailSamples.request("/" + String(repeating: "x", count: 64 << 10))
        repeat {
            subscription.send([event])
        } while (try? await subscription.connection.callRaw("rpc.ping", ping, deadline: .milliseconds(300))) != nil
        process.interrupt()
        #expect(await process.exitStatus() == 0)
        process.closeReader()
        await service.stop()
    }

    @Test("invalid options end the tail with status 64 before it connects")
    func usage() async throws {
        let process = try await CommandProcess(["tail", "--sampling-rate", "2"], screen: .pipe, folder: "/nowhere")
        #expect(await process.exitStatus() == 64)
    }
}

@Suite("status --watch as a process", .timeLimit(.minutes(1)))
struct StatusProcessTests {
    @Test("Ctrl-C during a call does not report the service as down")
    func cancelledCall() async throws {
        let stage = try TailStage()
        let calls = Inbox<RPCReply<ReadStatus.Result>>()
        var router = RPCRouter()
        router.handleInline(ReadStatus.self) { _, _, reply in calls.append(reply) }
        let service = try await FakeTailService(at: stage.socket(of: .progressHost), router)
        let process = try await CommandProcess(
            ["status", "--watch", "--json"], screen: .pipe, folder: stage.folder, isRead: false)
        // The call is never answered.
        let call = try await calls.take()
        process.interrupt()
        #expect(await process.exitStatus() == 0)
        #expect(process.rest == "")
        withExtendedLifetime(call) {}
        await service.stop()
    }
}

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// The real `bookstrack` with its output on a terminal or in a pipe.
final class CommandProcess: Sendable {
    enum Screen {
        /// A pseudo-terminal of this width.
        case terminal(columns: UInt16)
        case pipe
    }

    struct Failure: Error {}

    /// The process's output, piece by piece.
    private let pieces = Inbox<String>()
    private let reader: Int32
    let pid: Int32
    private let ending: Task<Int32?, Never>

    /// - Parameter isRead: Whether the test reads the process's output.
    init(
        _ arguments: [String], screen: Screen, folder: String, environment: [String: String] = [:], isRead: Bool = true
    ) async throws {
        let (reader, writer) = try Self.open(screen)
        var variables = ["BOOKSTRACK_RUNTIME_DIR": folder, "BOOKSTRACK_DATA_DIR": folder, "TERM": "xterm", "TZ": "UTC"]
        variables.merge(environment) { $1 }
        let configuration = Configuration(
            executable: .path(FilePath(BuiltProduct.commandLine.path)), arguments: Arguments(arguments),
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

    /// Waits until the process has written `text`; returns the output since the previous call.
    func written(upTo text: String) async throws -> String {
        var whole = ""
        while !whole.contains(text) { whole += try await pieces.take() }
        return whole
    }

    func interrupt() { kill(pid, SIGINT) }

    /// The process's exit status; nil if a signal ended it.
    func exitStatus() async -> Int32? { await ending.value }

    /// The output of a process that has ended and whose output was not read, at most as much as a pipe holds.
    var rest: String {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = Foundation.read(reader, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }

    /// Stops reading the output, as `head` does.
    func closeReader() { close(reader) }

    private func read() {
        let (reader, pieces) = (reader, pieces)
        DispatchQueue.global().async {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = Foundation.read(reader, &bytes, bytes.count)
                guard count > 0 else { return }
                pieces.append(String(decoding: bytes[..<count], as: UTF8.self))
            }
        }
    }

    private static func open(_ screen: Screen) throws -> (reader: Int32, writer: Int32) {
        switch screen {
        case .pipe:
            var ends: [Int32] = [0, 0]
            guard Foundation.pipe(&ends) == 0 else { throw Failure() }
            // A child that holds the reading end open would hide that the reader has exited.
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        case .terminal(let columns):
            let terminal = try PseudoTerminal(columns: columns)
            return (terminal.reader, terminal.writer)
        }
    }
}
