import ArgumentParser

/// Exit status of `bookstrack`; the numbers from 64 on are those of sysexits(3).
enum ExitStatus: Int32, CaseIterable {
    /// Done; with `enrich` and `watch`, every book was found.
    case success = 0
    /// The job ended, and some books were not found. With `health`: the service cannot serve.
    case incomplete = 1
    /// The job failed or was cancelled.
    case jobFailed = 2
    case usage = 64
    case badInput = 65
    case noInput = 66
    case unavailable = 69
    case tryLater = 75
    case unexpectedAnswer = 76
    case notPermitted = 77
    case configuration = 78
    case interrupted = 130

    private var meaning: String {
        switch self {
        case .success: "done; every book was found"
        case .incomplete: "the job ended, some books were not found; the service is unhealthy"
        case .jobFailed: "the job failed or was cancelled"
        case .usage: "wrong usage"
        case .badInput: "the list of books cannot be read"
        case .noInput: "no such file"
        case .unavailable: "nothing answers"
        case .tryLater: "the server is busy, or the job is not over yet"
        case .unexpectedAnswer: "the server refused or answered something unexpected"
        case .notPermitted: "the job's token is missing or was refused"
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
