/// What was found at one point of a check.
struct Finding: Encodable, Equatable, Sendable {
    enum Verdict: String, Encodable, Sendable {
        case ok
        /// Works, but not as it should, or not for long.
        case warning
        case problem
    }

    var verdict: Verdict
    /// What was looked at, for example "jobs.sqlite".
    var subject: String
    /// What was found, as a clause.
    var statement: String
    /// What to do about it.
    var advice: String?
    /// Lines of a log that say more.
    var log: [String]?

    static func ok(_ subject: String, _ statement: String) -> Finding {
        Finding(verdict: .ok, subject: subject, statement: statement)
    }

    static func warning(_ subject: String, _ statement: String, advice: String? = nil) -> Finding {
        Finding(verdict: .warning, subject: subject, statement: statement, advice: advice)
    }

    static func problem(_ subject: String, _ statement: String, advice: String? = nil) -> Finding {
        Finding(verdict: .problem, subject: subject, statement: statement, advice: advice)
    }

    /// What a check that failed itself comes to.
    static func problem(_ subject: String, _ error: any Error) -> Finding {
        problem(subject, CommandFailure(error).message)
    }
}
