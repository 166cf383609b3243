import Foundation
import Observability
import SuiteMethods

@testable import BookstrackCLI

/// A tail of services in a directory of its own, whose words a test reads one by one.
final class TailStage: Sendable {
    /// What a tail writes, one line at a time, or says.
    enum Word: Equatable, Sendable {
        case line(String)
        case note(String)
    }

    /// A wait before a service is looked for again; it lasts until the test ends it.
    struct Pause: Sendable {
        let length: Duration
        let end: AsyncStream<Void>.Continuation
    }

    let folder = "/tmp/bt-tail-\(UInt32.random(in: .min ... .max))"
    let words = Mailbox<Word>()
    let pauses = Mailbox<Pause>()

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func socket(of service: ServiceInstance) -> String { "\(folder)/\(service.socketName)" }

    func service(_ service: ServiceInstance, pid: Int32 = 1) async throws -> FakeTailService {
        try await FakeTailService(service.service, at: socket(of: service), pid: pid)
    }

    /// Starts a tail. Its output is read only while `isRead` says so.
    func tail(
        _ services: [ServiceInstance], _ format: TailFormat = .pretty, replay: SubscribeToTail.Replay? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        isRead: @escaping @Sendable () async -> Void = {}
    ) throws -> Task<ExitStatus, Never> {
        let zone = TimeZone(secondsFromGMT: 0) ?? .current
        let following = TailFollowing(filter: TailFilter(), replay: replay, start: TailSamples.time - 1_000)
        let (words, pauses) = (words, pauses)
        let tails = services.map { service in
            // Tests that run beside this one may keep both processors busy for long.
            ServiceTail(
                service: service, path: socket(of: service), start: following, connectLimit: .seconds(50)
            ) { length in
                let (ended, end) = AsyncStream.makeStream(of: Void.self)
                pauses.put(Pause(length: length, end: end))
                for await _ in ended {}
                try Task.checkCancellation()
            }
        }
        let run = TailRun(
            tails: tails,
            text: EventText(
                format: format, services: services, colours: false, time: LocalTime(zone: zone),
                today: TailSamples.time),
            output: TailOutput(
                write: { text in
                    await isRead()
                    for line in text.split(separator: "\n") { words.put(.line(String(line))) }
                },
                note: { words.put(.note($0.text(colours: false))) },
                columns: { nil }),
            now: now)
        return Task { await run.run(replays: replay != nil) }
    }

    /// The next word; a note without what differs from run to run.
    func next() async -> String {
        switch await words.take() {
        case .line(let line): String(line.dropFirst(14))
        case .note(let note): note.replacing(folder, with: "DIR")
        }
    }
}
