import BookstrackContract
import ProgressClient
import ServiceKit

/// A failure as the user reads it, with the exit status that goes with it.
struct CommandFailure: Error, Equatable {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Any error that a verb lets through.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let failure as ServiceFailure: self.init(.unavailable, failure.description)
        case let failure as ClientFailure: self.init(client: failure)
        case let refusal as APIRefusal: self.init(refusal: refusal)
        case let error as SettingsError:
            self.init(error.exitCode == .usage ? .usage : .configuration, error.description)
        default: self.init(.unexpectedAnswer, String(describing: error))
        }
    }

    /// The same failure of a certain job.
    func about(_ job: JobID) -> CommandFailure { CommandFailure(status, "job \(job): \(message)") }

    /// With something more to know.
    func adding(_ more: String) -> CommandFailure { CommandFailure(status, "\(message); \(more)") }

    private init(client failure: ClientFailure) {
        switch failure {
        case .unreachable:
            self.init(
                .unavailable, "\(failure); start the services with deploy/quickstart --keep or docker compose up")
        case .timedOut, .closedEarly: self.init(.unavailable, failure.description)
        case .upgradeRefused(let answer): self.init(refusal: APIRefusal(answer))
        case .unsupportedAddress: self.init(.usage, failure.description)
        case .cancelled: self.init(.interrupted, failure.description)
        case .answerTooLarge, .malformed: self.init(.unexpectedAnswer, failure.description)
        }
    }

    private init(refusal: APIRefusal) {
        let wait = refusal.retryAfterSeconds.map { "; try again in \($0) s" } ?? ""
        switch (refusal.code, refusal.reason) {
        case (.quotaExhausted, _): self.init(.limited, "\(refusal)\(wait); \(QuotaHint.text)")
        case (.providerError, _), (.providerTimeout, _):
            self.init(.unavailable, "\(refusal)\(wait); check them with: bookstrack health enrichment-worker")
        case (.batchTooLarge, _):
            self.init(
                .unexpectedAnswer,
                "\(refusal); use a smaller --batch-size, or raise BOOKSTRACK_MAX_BATCH_BOOKS")
        case (_, .invalid?): self.init(.badInput, refusal.description)
        case (_, let reason?): self.init(ExitStatus(reason), "\(refusal)\(wait)")
        case (_, nil) where refusal.status == 401:
            self.init(.notPermitted, "the token was refused, or there is no such job: \(refusal)")
        case (_, nil): self.init(.unexpectedAnswer, refusal.description)
        }
    }
}
