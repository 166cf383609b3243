import BookstrackContract
import SuiteMethods

// Operator actions on jobs. They need no token (console.md "Actions").

extension JobEngine {
    /// Performs an action on a job and records it in the audit log. Throws `noJob` for an unknown or expired job, and any error from the action; a
    /// refused action is not recorded.
    func operate(_ parameters: OperateJob.Parameters, _ turn: Turn) throws -> OperateJob.Result {
        let id = parameters.jobId
        guard let row = try turn.jobs.job(id, at: turn.now.settled) else { throw HostFailure.noJob(id) }
        let result: OperateJob.Result
        switch parameters.action {
        case .cancel:
            let outcome = try cancel(job: row.number, turn)
            result = .init(status: outcome.status, outcome: outcome.message)
        case .retry:
            let outcome = try retryFailed(job: row.number, turn)
            let items = row.pipeline == .aiScan ? "photos and books" : "items"
            result = .init(
                status: outcome.status,
                outcome: outcome.retrying == 0 ? "Nothing to retry" : "Retrying failed \(items): \(outcome.retrying)")
        case .prioritize:
            guard let priority = parameters.priority else { throw HostFailure.invalidRequest("priority is missing") }
            guard let job = jobs[row.number] else { throw HostFailure.jobIsOver(id) }
            try prioritize(job, priority, turn)
            result = .init(status: job.row.status, outcome: "Priority is \(priority.rawValue)")
        }
        let action = [parameters.action.rawValue, parameters.priority?.rawValue].compactMap(\.self).joined(
            separator: " ")
        try turn.audit.append(
            at: turn.now.wall, parameters.actor, action, id.text, outcome: result.outcome)
        return result
    }

    /// Moves an open job to the lane for `priority`. Items that are already leased stay with their workers.
    private func prioritize(_ job: ActiveJob, _ priority: JobPriority, _ turn: Turn) throws {
        try turn.jobs.setPriority(job.row.number, priority)
        work.remove(job)
        job.row.origin.priority = priority
        if job.hasReadyItems { work.queue(job) }
    }
}
