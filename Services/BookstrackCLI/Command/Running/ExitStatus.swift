import ArgumentParser
import BookstrackContract
import Foundation

/// Exit status of `bookstrack`; the numbers from 64 to 78 are those of sysexits(3). The meaning of a number must not change.
enum ExitStatus: Int32, CaseIterable {
    /// Success: with `search`, each query had results; with `enrich` and `watch`, every book was found; with `import`, every row was used, and every
    /// book that was looked up was found; with `scan`, every photo was read, and every book was approved.
    case success = 0
    /// A book was not found or needs review, or a row or photo could not be used. With `health` and `status`: a service is unavailable. With
    /// `cache purge`: not every cache was emptied. With `check` and `doctor`: there is a problem. With `restore`: the user did not confirm.
    case incomplete = 1
    case jobFailed = 2
    /// A server's or a provider's limit is exhausted.
    case limited = 3
    case cancelled = 4
    case usage = 64
    case badInput = 65
    case noInput = 66
    /// The API, or something that it needs, such as another service, the providers or an engine that reads photos, is unavailable.
    case unavailable = 69
    /// A file cannot be written, for example because it already exists or the disk is full.
    case cannotWrite = 73
    case tryLater = 75
    case unexpectedAnswer = 76
    case notPermitted = 77
    case configuration = 78
    case interrupted = 130

    /// Its description in `bookstrack --help`.
    var meaning: String {
        switch self {
        case .success: "done; if books were looked up, every one was found"
        case .incomplete:
            """
            not found: books were not found or need review, rows or photos could not be used, a service is unavailable, a cache was not emptied, \
            a check found a problem, or a restore was not confirmed
            """
        case .jobFailed: "the job failed"
        case .limited: "limited: a server request limit or a provider quota is used up"
        case .cancelled: "cancelled: the job was cancelled"
        case .usage: "usage error"
        case .badInput: "invalid: a book, a query, a file, a database or a backup cannot be used"
        case .noInput: "no such file, job, backup or unfinished list"
        case .unavailable:
            "down: the API or another service is unavailable, no engine can read photos, or a provider failed"
        case .cannotWrite: "a file cannot be written, for example because it exists already or the disk is full"
        case .tryLater:
            """
            busy: the server is busy, the job has not ended yet, another run is submitting the list, or a service has the data open
            """
        case .unexpectedAnswer: "the server refused the request or sent an unexpected response"
        case .notPermitted: "the job's token is missing or was refused, or the files belong to another user"
        case .configuration: "bad setting"
        case .interrupted: "interrupted"
        }
    }

    /// The status for a reason.
    init(_ reason: FailureReason) {
        self =
            switch reason {
            case .busy: .tryLater
            case .limited: .limited
            case .down: .unavailable
            case .notFound: .incomplete
            case .invalid: .badInput
            case .cancelled: .cancelled
            }
    }

    /// The status of a run in which results are missing for these reasons.
    init(_ reasons: some Collection<FailureReason>) {
        self = reasons.map { ExitStatus($0) }.reduce(.success) { $0.combined(with: $1) }
    }

    /// The status of a run with two outcomes. A cancellation takes precedence over temporary reasons, these over permanent ones, and all of them over
    /// `success`. Any other status, such as `interrupted`, stands for no ``FailureReason`` and takes precedence over all of these.
    func combined(with other: ExitStatus) -> ExitStatus { precedence <= other.precedence ? self : other }

    private var precedence: Int {
        let order: [ExitStatus] = [.cancelled, .unavailable, .limited, .tryLater, .incomplete, .badInput, .success]
        return order.firstIndex(of: self) ?? -1
    }

    /// The status for a job that has no results in this state.
    ///
    /// - Parameter failed: The status if the job has failed.
    init(withoutResults status: String, failed: ExitStatus) {
        self =
            switch JobStatus(rawValue: status) {
            case .cancelled: .cancelled
            case .failed: failed
            default: .tryLater
            }
    }

    /// Thrown to end the command with this status.
    var exit: ExitCode { ExitCode(rawValue) }
}

/// Runs a command's body and turns errors into a message on standard error and an exit status.
func runVerb(_ body: () async throws -> ExitStatus) async throws {
    let status: ExitStatus
    do {
        status = try await body()
    } catch let exit as ExitCode {
        throw exit
    } catch {
        let failure = CommandFailure(error)
        StandardStreams.writeMessage("bookstrack: \(failure.message)")
        throw failure.status.exit
    }
    if status != .success { throw status.exit }
}
