/// One result of a check.
package struct Finding: Codable, Equatable, Sendable {
    package enum Verdict: String, Codable, Sendable {
        case ok
        /// The suite works, but not as intended, or not for much longer.
        case warning
        case problem
    }

    package var verdict: Verdict
    /// What was checked, for example "jobs.sqlite".
    package var subject: String
    /// The result, as a clause.
    package var statement: String
    /// How to fix it; nil if there is no advice.
    package var advice: String?
    /// Related log lines; nil if there are none.
    package var log: [String]?

    package init(
        verdict: Verdict, subject: String, statement: String, advice: String? = nil, log: [String]? = nil
    ) {
        self.verdict = verdict
        self.subject = subject
        self.statement = statement
        self.advice = advice
        self.log = log
    }

    package static func ok(_ subject: String, _ statement: String) -> Finding {
        Finding(verdict: .ok, subject: subject, statement: statement)
    }

    package static func warning(_ subject: String, _ statement: String, advice: String? = nil) -> Finding {
        Finding(verdict: .warning, subject: subject, statement: statement, advice: advice)
    }

    package static func problem(_ subject: String, _ statement: String, advice: String? = nil) -> Finding {
        Finding(verdict: .problem, subject: subject, statement: statement, advice: advice)
    }
}
