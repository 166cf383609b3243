import Foundation
import JSONRPC
import NIOCore
import Observability
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("The tail as a process", .timeLimit(.minutes(1)))
struct TailProcessTests {
    /// Follows an emulated service and shows one request; returns what was written of it.
    private func shown(
        on screen: TailProcess.Screen, _ arguments: [String] = [], environment: [String: String] = [:], upTo end: String
    ) async throws -> String {
        let stage = try TailStage()
        let service = try await stage.service(.apiProxy)
        let process = try await TailProcess(
            arguments + ["api-proxy"], screen: screen, folder: stage.folder, environment: environment)
        let event = try TailSamples.request("/v1/search/title?q=\u{1B}[31m" + String(repeating: "本棚", count: 30))
        await service.subscriptions.take().send([event])
        let written = await process.written(upTo: end)
        process.interrupt()
        #expect(await process.exitStatus() == 0)
        await service.stop()
        return written
    }

    @Test("on a terminal it is pretty, coloured and as wide as the terminal")
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

    @Test("with NO_COLOR it is pretty without colours")
    func noColour() async throws {
        let written = try await shown(on: .terminal(columns: 80), environment: ["NO_COLOR": "1"], upTo: "…")
        #expect(!written.contains("\u{1B}") && written.contains("14:03:59.042"))
    }

    @Test("elsewhere it is JSON, and pretty without colours when asked")
    func pipe() async throws {
        let json = try await shown(on: .pipe, upTo: "}\n")
        let event = try JSONDecoder().decode(TailEvent.self, from: Data(json.utf8))
        #expect(event.event?.response?.status == 200)
        let pretty = try await shown(on: .pipe, ["--format", "pretty"], upTo: "req 0e0e4736")
        #expect(!pretty.contains("\u{1B}") && pretty.contains("14:03:59.042"))
    }

    @Test("a reader that has gone ends it as it ends other tools")
    func closedPipe() async throws {
        let stage = try TailStage()
        let service = try await stage.service(.apiProxy)
        let process = try await TailProcess(["api-proxy"], screen: .pipe, folder: stage.folder, isRead: false)
        let subscription = await service.subscriptions.take()
        process.closeReader()
        subscription.send([try TailSamples.request()])
        #expect(await process.exitStatus() == 128 + SIGPIPE)
        await service.stop()
    }

    @Test("Ctrl-C ends it although nobody reads what it writes")
    func stuckReader() async throws {
        let stage = try TailStage()
        let service = try await stage.service(.apiProxy)
        let process = try await TailProcess(["api-proxy"], screen: .pipe, folder: stage.folder, isRead: false)
        let subscription = await service.subscriptions.take()
        let ping = ByteBuffer(string: "{}")
        // A pipe holds 64 KiB; when pings are not answered any more, it is full and all that waits behind it.
        let event = try TailSamples.request("/" + String(repeating: "x", count: 64 << 10))
        repeat {
            subscription.send([event])
        } while (try? await subscription.connection.callRaw("rpc.ping", ping, deadline: .milliseconds(300))) != nil
        process.interrupt()
        #expect(await process.exitStatus() == 0)
        process.closeReader()
        await service.stop()
    }

    @Test("wrong options end it with status 64 before anything is connected")
    func usage() async throws {
        let process = try await TailProcess(["--sampling-rate", "2"], screen: .pipe, folder: "/nowhere")
        #expect(await process.exitStatus() == 64)
    }
}
