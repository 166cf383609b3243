import BookstrackContract
import JSON
import JSONRPC
import Logging
import SuiteMethods

/// Operator actions on jobs, and the recording of other actions in the audit log (console.md "Actions").
struct ConsoleActions: Sendable {
    /// Maximum number of jobs per request.
    static let maxJobs = 200

    let host: RPCClient
    let logger: Logger

    /// Body of `POST /console/api/jobs/actions`: `{action, priority?, jobs[]}`.
    struct Request {
        var action: OperateJob.Action
        var priority: JobPriority?
        var jobs: [JobID]

        /// Reads a body. Throws `APIFailure`.
        init(_ bytes: [UInt8]) throws {
            var action: OperateJob.Action?
            var priority: JobPriority?
            var jobs: [JobID] = []
            try JSONReader.readBody(bytes) { [maxJobs = ConsoleActions.maxJobs] reader, key in
                switch key {
                case "action": action = try reader.readCase(at: key)
                case "priority": priority = try reader.readCase(at: key)
                case "jobs":
                    guard try reader.peek() == .array else { throw APIFailure.invalid(key, "must be a list") }
                    jobs = []
                    try reader.readArray { reader in
                        guard jobs.count < maxJobs else {
                            throw APIFailure.invalid(key, "must contain at most \(maxJobs) jobs")
                        }
                        guard let job = try reader.readJobID(at: key) else {
                            throw APIFailure.invalid(key, JobID.rule())
                        }
                        jobs.append(job)
                    }
                default: try reader.skipValue()
                }
            }
            guard let action else { throw APIFailure.invalid("action", notIn: OperateJob.Action.self) }
            guard !jobs.isEmpty else { throw APIFailure.invalid("jobs", "must contain at least one job") }
            guard (action == .prioritize) == (priority != nil) else {
                throw APIFailure.invalid(
                    "priority", "is required for the action prioritize and not allowed with any other")
            }
            (self.action, self.priority, self.jobs) = (action, priority, jobs)
        }
    }

    /// The outcome of the action on one job.
    struct Outcome: Codable, Sendable {
        var jobId: JobID
        var isDone: Bool
        /// The job's state afterward; nil if the action failed.
        var status: JobStatus?
        /// What was done, or what went wrong.
        var outcome: String
    }

    /// Performs the action on one job at a time, so a long list does not hold up progress-host's engine. A failure with one job does not affect the
    /// others. The outcomes are in the order of the request.
    func perform(_ request: Request, _ caller: ConsoleCaller) async -> [Outcome] {
        let actor = Actor(address: caller.address.text ?? "unknown", session: caller.session?.name)
        var outcomes: [Outcome] = []
        for job in request.jobs {
            do {
                let result = try await host.call(
                    OperateJob.self, .init(jobId: job, action: request.action, priority: request.priority, actor: actor)
                )
                outcomes.append(Outcome(jobId: job, isDone: true, status: result.status, outcome: result.outcome))
            } catch {
                let reason = APIFailure(answering: error)?.message ?? "The request was cancelled."
                outcomes.append(Outcome(jobId: job, isDone: false, status: nil, outcome: reason))
            }
        }
        return outcomes
    }

    /// Records an action that does not concern a job. If progress-host does not record it, the action is only logged, because operators must be able
    /// to log in while the suite is broken.
    func note(
        _ action: String, on subject: String? = nil, _ address: ClientAddress, session: String?, outcome: String
    ) async {
        let actor = Actor(address: address.text ?? "unknown", session: session)
        var metadata: Logger.Metadata = [
            "action": "\(action)", "address": "\(actor.address)", "outcome": "\(outcome)",
        ]
        metadata["subject"] = subject.map { "\($0)" }
        logger.notice("console", metadata: metadata)
        _ = try? await host.call(
            RecordAudit.self, .init(actor: actor, action: action, subject: subject, outcome: outcome))
    }
}
