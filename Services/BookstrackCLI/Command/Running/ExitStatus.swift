import ArgumentParser

/// Exit status of `bookstrack`; the numbers from 64 on are those of sysexits(3).
enum ExitStatus: Int32, CaseIterable {
    /// Done; with `search`, something was found for each question; with `enrich` and `watch`, every book.
    case success = 0
    /// A book was not found. With `health`: the service cannot serve. With `cache purge`: not every cache was emptied. With `check` and
    /// `doctor`: there is a problem.
    case incomplete = 1
    /// The job failed or was cancelled.
    case jobFailed = 2
    case usage = 64
    case badInput = 65
    case noInput = 66
    case unavailable = 69
    /// A file cannot be made: it is there already, or the disk is full.
    case cannotWrite = 73
    case tryLater = 75
    case unexpectedAnswer = 76
    case notPermitted = 77
    case configuration = 78
    case interrupted = 130

    private var meaning: String {
        switch self {
        case .success: "done; every book was found"
        case .incomplete:
            "some books were not found; the service is unhealthy; a cache was not emptied; a check found a problem"
        case .jobFailed: "the job failed or was cancelled"
        case .usage: "wrong usage"
        case .badInput: "the list of books or the backup cannot be read, or what is searched for is not valid"
        case .noInput: "no such file"
        case .unavailable: "nothing answers"
        case .cannotWrite: "a file cannot be made: it is there already, or the disk is full"
        case .tryLater:
            "the server is busy, the providers fail, the job is not over yet, or a service has the data open"
        case .unexpectedAnswer: "the server refused or answered something unexpected"
        case .notPermitted: "the job's token is missing or was refused, or the files belong to another user"
        case .configuration: "bad setting"
        case .interrupted: "interrupted"
        }
    }

    /// All of them, for `--help`.
    static let help =
        "Exit status:\n"
        + allCases.map { "  \(String(repeating: " ", count: 3 - "\($0.rawValue)".count))\($0.rawValue)  \($0.meaning)" }
        .joined(separator: "\n")

    /// Thrown to end the command with this status.
    var exit: ExitCode { ExitCode(rawValue) }
}
