import Engines
import Logging
import NIOCore
import Observability
import ProviderClient
import ServiceKit
import Transfer

/// A configured engine: its client and its dialect.
struct Engine: Sendable {
    /// Maximum number of photos that a worker reads at a time.
    static let photosAtOnce = 4

    let name: EngineName
    let model: String
    let dialect: EngineDialect
    /// Timeout for an answer about a photo, including retries and, if the engine reads one photo at a time, the wait for other photos.
    let photoTimeout: Duration
    let client: ProviderClient

    /// Asks a question, with the retries of ``ProviderClient``.
    ///
    /// - Parameter photo: The bytes of the photo, if the question is about a photo.
    func ask(
        _ question: StructuredQuestion, photo: [TransferBody.Source] = [], priority: CallPriority,
        deadline: MonotonicInstant
    ) async throws(EngineFailure) -> EngineAnswer {
        let body: ProviderAnswer
        do throws(ProviderFailure) {
            body = try await client.post(
                dialect.path(model: model), json: TransferBody(dialect.body(of: question, model: model), photo),
                priority: priority, deadline: deadline)
        } catch {
            throw .call(error)
        }
        do throws(AnswerFault) {
            return try dialect.answer(body.body)
        } catch {
            throw .answer(error)
        }
    }
}

extension TransferBody {
    /// The body of a question, including its photo.
    fileprivate init(_ body: EngineBody, _ photo: [Source]) {
        self.init([.text(body.start)] + (body.end.map { [.base64(photo), .text($0)] } ?? []))
    }
}

/// Why an engine gave no usable answer.
enum EngineFailure: Error, Sendable, Equatable {
    /// The call failed.
    case call(ProviderFailure)
    /// The response is unusable.
    case answer(AnswerFault)
}

/// The configured engines, in the order in which they are queried.
struct EngineClients: Sendable {
    let all: [Engine]
    let metrics: WorkerMetrics
    let clock: any SuiteClock
    let logger: Logger

    /// The engines that can be asked at present: all except an optional shelf reader whose socket file does not exist.
    var present: [Engine] { all.filter(\.client.isPresent) }

    /// The engines that can answer any question; the shelf reader only reads photos.
    var models: EngineClients {
        EngineClients(all: all.filter { $0.name != .reader }, metrics: metrics, clock: clock, logger: logger)
    }

    /// Queries one engine after another until one answers, the time is up or the task is cancelled. Each engine is given an equal share of the
    /// remaining time.
    ///
    /// - Parameter read: Decodes an answer; returns nil if it does not have the expected format.
    /// - Returns: The answer and the model that gave it, or the first engine's failure; nil if there is no engine.
    func ask<Value: Sendable>(
        _ question: StructuredQuestion, priority: CallPriority, within limit: Duration,
        reading read: (EngineAnswer) -> Value?
    ) async -> Result<(answer: Value, model: String), EngineFailure>? {
        let deadline = clock.now.advanced(by: limit)
        var first: EngineFailure?
        for (place, engine) in all.enumerated() {
            let now = clock.now
            guard first == nil || (now < deadline && !Task.isCancelled) else { break }
            let share = now.duration(to: deadline) / (all.count - place)
            do throws(EngineFailure) {
                let answer = try await engine.ask(question, priority: priority, deadline: now.advanced(by: share))
                guard let value = read(answer) else { throw .answer(.malformed) }
                metrics.engine(engine.name, .answered)
                return .success((value, engine.model))
            } catch {
                metrics.engine(engine.name, EngineOutcome(error))
                logger.notice(
                    "engine call failed", metadata: ["engine": "\(engine.name)", "reason": "\(error.code)"])
                first = first ?? error
            }
        }
        return first.map { .failure($0) }
    }
}

/// The outcome of a question sent to an engine. A photo counts as one question, even if the engine is also asked about its halves.
enum EngineOutcome: String, MetricLabel {
    case answered
    /// The service withholds the answer.
    case blocked
    /// The answer was longer than allowed.
    case cutOff = "cut_off"
    case empty, malformed
    /// The engine cannot read the photo.
    case unreadable
    /// The call failed; `bookstrack_provider_calls_total` contains the reason.
    case failed

    static let labelName = "outcome"

    init(_ failure: EngineFailure) {
        self =
            switch failure {
            case .call: .failed
            case .answer(.blocked): .blocked
            case .answer(.cutOff): .cutOff
            case .answer(.empty): .empty
            case .answer(.malformed): .malformed
            case .answer(.unreadable): .unreadable
            }
    }
}

extension EngineFailure {
    /// Whether the engine could not be connected to, or the connection broke, or is not tried at present because earlier calls have failed.
    var isUnreachable: Bool {
        switch self {
        case .call(.connection), .call(.breakerOpen(_, .failures)): true
        default: false
        }
    }

    /// A stable name for logs.
    var code: String {
        switch self {
        case .call(.httpStatus(let status)): "\(ProviderOutcome.httpStatus.rawValue):\(status)"
        case .call(let failure): failure.outcome.rawValue
        case .answer(.blocked(let reason)): "blocked:\(reason.prefix(40))"
        case .answer: EngineOutcome(self).rawValue
        }
    }
}

extension EngineName: MetricLabel {
    package static var labelName: String { "engine" }
}
