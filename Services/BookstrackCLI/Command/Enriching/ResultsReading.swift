import BookstrackContract
import Foundation
import ProgressClient

/// Reads the results of jobs that are over, one job after the other, into a report.
struct ResultsReading {
    let api: APIClient
    let output: ProgressOutput
    var calls = PatientCalls()

    /// Adds every job to the report. Returns the reports with what was learned of their books; one job's failure ends no other's reading.
    func read(_ jobs: [JobReport], into report: inout ResultsReport) async throws -> [JobReport] {
        var learned: [JobReport] = []
        for var job in jobs {
            var results: EnrichmentResults?
            do {
                results = try await calls.make(output) { try await api.results(of: job.job) }
                job.reasons = Set((results?.enrichedBooks ?? []).filter { !$0.success }.map(\.reason))
            } catch {
                // Why a job has not ended, or ended badly, says more than that it has no results.
                job.failure = job.failure ?? (job.status == .failed ? nil : failure(error, of: job.job))
            }
            try report.add(job, results)
            learned.append(job)
        }
        return learned
    }

    /// What of the jobs the server tries again by itself, and when it begins; nil when nothing is.
    func laterRetries(of jobs: [JobReport]) async -> JobState.LaterRetries? {
        var sum: JobState.LaterRetries?
        for job in jobs {
            guard let token = job.token, !job.reasons.isDisjoint(with: FailureReason.allCases.filter(\.isPassing)),
                let later = try? await api.state(of: job.job, token: token).laterRetries
            else { continue }
            sum = .init(count: (sum?.count ?? 0) + later.count, nextAt: min(sum?.nextAt ?? later.nextAt, later.nextAt))
        }
        return sum
    }

    /// What is tried again later, in words.
    static func notice(_ later: JobState.LaterRetries, of jobs: [JobReport], now: Int64) -> String {
        let books = later.count == 1 ? "1 book is" : "\(later.count) books are"
        let next = PointInPast(argument: later.nextAt)?.milliseconds(now: now) ?? now
        let names = jobs.map(\.job.short).joined(separator: " ")
        return """
            \(books) tried again by the server in \(TimeSpanText.text(milliseconds: next - now)) (\(later.nextAt)), and if need be 4 h and 24 h \
            after the end of the job. Read the results then: bookstrack results \(names). To try at once: bookstrack retry \
            \(jobs.count == 1 ? names : "JOB")
            """
    }

    private func failure(_ error: any Error, of job: JobID) -> CommandFailure {
        guard let refusal = error as? APIRefusal, refusal.code == .notFound else {
            return CommandFailure(error).about(job).adding("read the results with: bookstrack results \(job.short)")
        }
        guard case .text(let status)? = refusal.details["status"] else {
            return CommandFailure(.noInput, "there is no job \(job), or its results have expired")
        }
        return CommandFailure(.tryLater, "job \(job) is \(status); watch it with: bookstrack watch \(job.short)")
    }
}
