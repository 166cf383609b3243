import Foundation
import JSONRPC
import Logging
import NIOPosix
import Observability
import SuiteMethods
import TestSupport
@testable import BookstrackCLI

/// A tail of services in a temporary directory, whose output a test reads step by step.
final class TailStage: Sendable {
    /// A line or a message from a tail.
    enum Output: Equatable, Sendable {
        case line(String)
        case note(String)
    }

    /// A delay before a reconnection; it lasts until the test ends it.
    struct Pause: Sendable {
        let length: Duration
        let end: AsyncStream<Void>.Continuation
    }

    let folder = "/tmp/bt-tail-\(UInt32.random(in: .min ... .max))"
    let outputs = Inbox<Output>()
    let pauses = Inbox<Pause>()

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func socket(of service: ServiceInstance) -> String { "\(folder)/\(service.socketName)" }

    func service(_ service: ServiceInstance, pid: Int32 = 1) async throws -> FakeTailService {
        try await FakeTailService(service.service, at: socket(of: service), pid: pid)
    }

    /// Starts a tail. Each write waits until `isRead` returns.
    func tail(
        _ services: [ServiceInstance], _ format: TailFormat = .pretty, replay: SubscribeToTail.Replay? = nil,
        clock: any SuiteClock = SystemClock(),
        isRead: @escaping @Sendable () async -> Void = {}
    ) throws -> Task<ExitStatus, Never> {
        let zone = TimeZone(secondsFromGMT: 0) ?? .current
        let following = TailFollowing(filter: TailFilter(), replay: replay, start: TailSamples.time - 1_000)
        let (outputs, pauses) = (outputs, pauses)
        let tails = services.map { service in
            // Concurrent tests can keep all processors busy for a long time.
            ServiceTail(
                service: service, path: socket(of: service), start: following, connectLimit: .seconds(50)
            ) { length in
                let (ended, end) = AsyncStream.makeStream(of: Void.self)
                pauses.append(Pause(length: length, end: end))
                for await _ in ended {}
                try Task.checkCancellation()
            }
        }
        let run = TailRun(
            tails: tails,
            text: EventText(
                format: format, services: services, colors: false, time: LocalTime(zone: zone),
                today: TailSamples.time),
            output: TailOutput(
                write: { text in
                    await isRead()
                    for line in text.split(separator: "\n") { outputs.append(.line(String(line))) }
                },
                note: { outputs.append(.note($0.text(colors: false))) },
                columns: { nil }),
            clock: clock)
        return Task { await run.run(replays: replay != nil) }
    }

    /// The next line without its time, or the next message with `DIR` for the folder.
    func next() async throws -> String {
        switch try await outputs.take() {
        case .line(let line): String(line.dropFirst(14))
        case .note(let note): note.replacing(folder, with: "DIR")
        }
    }
}

/// Responds to `tail.subscribe` on a socket, and sends a test's events.
struct FakeTailService {
    struct Subscription: Sendable {
        let parameters: SubscribeToTail.Parameters
        let connection: RPCConnection

        func send(_ events: [TailEvent], dropped: Int = 0) {
            connection.notify(TailEvents.self, .init(events: events, dropped: dropped))
        }
    }

    private let server: RPCServer
    /// The subscriptions, in order of arrival.
    let subscriptions: Inbox<Subscription>

    init(_ service: ServiceName, at path: String, pid: Int32) async throws {
        let subscriptions = Inbox<Subscription>()
        var router = RPCRouter()
        router.handleInline(SubscribeToTail.self) { parameters, connection, reply in
            reply.succeed(.init(service: service, version: "1.4.0", pid: pid))
            subscriptions.append(Subscription(parameters: parameters, connection: connection))
        }
        try await self.init(at: path, router, subscriptions)
    }

    init(at path: String, _ router: RPCRouter, _ subscriptions: Inbox<Subscription> = Inbox()) async throws {
        server = try await RPCServer.bind(
            path: path, router: router, allowedUIDs: [getuid()], group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        self.subscriptions = subscriptions
    }

    func stop() async { await server.shutdown() }
}

/// Events in the services' format.
enum TailSamples {
    /// 14:03:59.042 UTC on 21 November 2026.
    static let time: Int64 = 1_795_269_839_042
    static let job = "8b1c22d0-5b1e-4c7e-9d3f-6f0e8a1b2c3d"

    static func request(
        at offset: Int64 = 0, _ url: String = "/v1/search/isbn?isbn=9780441172719", status: Int = 200,
        outcome: TailOutcome = .ok, job: String? = nil, logs: [TailEvent.Line] = []
    ) throws -> TailEvent {
        var event = try event(.request, at: offset)
        event.outcome = outcome
        event.durationMs = 12.3
        event.requestId = "4bf92f3577b34da6a3ce929d0e0e4736"
        event.jobId = job
        event.logs = logs
        event.event = .init(
            request: .init(method: "GET", url: url, headers: ["host": "localhost"], address: "127.0.0.1"),
            response: .init(status: status))
        return event
    }

    static func call(at offset: Int64 = 0, _ method: String = "jobs.claim", code: String? = nil) throws -> TailEvent {
        var event = try event(.rpc, at: offset)
        event.durationMs = 0.25
        event.requestId = "4bf92f3577b34da6a3ce929d0e0e4736"
        event.event = .init(rpc: .init(method: method, peerPid: 12, code: code))
        return event
    }

    static func step(at offset: Int64 = 0, _ name: TailSubject.Step.Name = .recorded) throws -> TailEvent {
        var event = try event(.job, at: offset)
        event.jobId = job
        event.event = .init(job: .init(step: name, index: 12, result: "found", code: nil))
        return event
    }

    static func logged(
        at offset: Int64 = 0, _ level: Logger.Level = .notice, _ message: String, _ metadata: [String: String]? = nil
    ) throws -> TailEvent {
        var event = try event(.log, at: offset)
        event.logs = [line(after: offset, level, message, metadata)]
        return event
    }

    static func line(
        after offset: Int64 = 0, _ level: Logger.Level = .info, _ message: String, _ metadata: [String: String]? = nil
    ) -> TailEvent.Line {
        .init(timestamp: time + offset, level: level, message: message, metadata: metadata)
    }

    private static func event(_ kind: TailKind, at offset: Int64) throws -> TailEvent {
        let bare =
            #"{"kind":"\#(kind.rawValue)","outcome":"ok","eventTimestamp":\#(time + offset),"logs":[],"exceptions":[]}"#
        return try JSONDecoder().decode(TailEvent.self, from: Data(bare.utf8))
    }
}
