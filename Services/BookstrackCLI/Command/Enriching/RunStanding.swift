import BookstrackContract
import NIOConcurrencyHelpers

/// Where a run of `enrich` stands, for whoever ends it at any moment, and the tokens of its jobs.
final class RunStanding: Sendable {
    private struct State {
        var list: HandOver?
        var tokens: [JobID: String] = [:]
    }

    private let state = NIOLockedValueBox(State())

    func update(_ list: HandOver) { state.withLockedValue { $0.list = list } }

    func keep(_ token: String, of job: JobID) { state.withLockedValue { $0.tokens[job] = token } }

    func token(of job: JobID) -> String? { state.withLockedValue { $0.tokens[job] } }

    /// What Ctrl-C leaves behind, and how to go on.
    var farewell: String {
        guard let list = state.withLockedValue({ $0.list }) else { return "Nothing was submitted." }
        let unsent = list.rest.reduce(0) { $0 + $1.count }
        var lines: [String] = []
        if unsent > 0 {
            lines.append("\(unsent) of \(list.batches.reduce(0) { $0 + $1.count }) books were not submitted.")
            if list.isKept { lines.append("To continue: bookstrack enrich --resume \(list.id)") }
        }
        let jobs = list.batches.filter(\.isStarted).map(\.job)
        if !jobs.isEmpty { lines.append(Self.farewell(to: jobs)) }
        return lines.joined(separator: "\n")
    }

    /// What goes on without this process.
    static func farewell(to jobs: [JobID]) -> String {
        let names = jobs.map(\.short).joined(separator: " ")
        return """
            \(jobs.count == 1 ? "The job continues" : "\(jobs.count) jobs continue") in the background. \
            To resume watching: bookstrack watch \(names)
            """
    }
}

extension JobID {
    /// Fewest characters by which a job may be called instead of its identifier.
    static let shortestName = 8

    /// The eight characters by which logs and commands call a job; all of an identifier that is not a random one.
    var short: String { isRandomUUID ? String(text.prefix(Self.shortestName)) : text }
}
