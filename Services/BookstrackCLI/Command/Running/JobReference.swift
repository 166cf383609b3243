import ArgumentParser
import BookstrackContract
import Foundation
import ServiceKit
import SuiteMethods

/// A job as a user names it: its identifier, or at least the first eight characters of it.
struct JobReference: ExpressibleByArgument, Equatable {
    let text: String

    /// Takes any text: what cannot be a job is refused by ``job(in:)``, which can say why.
    init(argument: String) { text = argument }

    /// What is known of jobs: those that were started from this account, and those of the services on this machine.
    struct Directory {
        /// Jobs started from this account whose identifiers begin with a text.
        var own: @Sendable (String) -> [JobID]
        /// Jobs of progress-host whose identifiers begin with a text; nil when it cannot be asked.
        var all: @Sendable (String) async -> [JobID]?
    }

    /// The job that is meant. Throws `CommandFailure` when several may be, or none is.
    func job(in directory: Directory = .standard) async throws -> JobID {
        guard let named = JobID(text) else {
            throw CommandFailure(
                .usage,
                """
                "\(text)" is not a job ID: give the whole ID or at least its first \(JobID.shortestName) characters; see: \
                bookstrack jobs
                """)
        }
        guard !named.isRandomUUID, text.utf8.count >= JobID.shortestName else { return named }
        let own = directory.own(text)
        if own.contains(named) { return named }
        let stored = await directory.all(text)
        let candidates = Set(own + (stored ?? []))
        if candidates.contains(named) { return named }
        switch candidates.count {
        case 1: return candidates.first ?? named
        case 0:
            // Where not all jobs are known it may be the whole identifier of one.
            guard stored != nil else { return named }
            throw CommandFailure(.noInput, "there is no job \(text); see: bookstrack jobs")
        default:
            let list = candidates.map(\.text).sorted().map { "  " + $0 }.joined(separator: "\n")
            throw CommandFailure(.usage, "several jobs start with \(text); choose one:\n\(list)")
        }
    }
}

extension JobReference.Directory {
    /// Candidates that are shown at most.
    private static let mostCandidates = 20

    /// The token file of this account, and progress-host's socket unless `BOOKSTRACK_URL` or `--url` names another machine's API.
    static var standard: Self {
        Self(
            own: { prefix in
                ((try? TokenStore.standard.entries()) ?? []).map(\.jobId).filter { $0.text.hasPrefix(prefix) }
            },
            all: { prefix in
                guard let directories = try? CommandSettings.load().directories else { return nil }
                var parameters = ListJobs.Parameters(limit: mostCandidates)
                parameters.prefix = prefix
                return try? await ServiceSocket(.progressHost, in: directories).call(ListJobs.self, parameters)
                    .jobs.map(\.jobId)
            })
    }
}
