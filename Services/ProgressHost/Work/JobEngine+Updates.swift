import BookstrackContract
import Foundation
import Logging
import Observability
import SuiteMethods
import SuiteStorage

// MARK: Rounds of retries

extension JobEngine {
    /// Records that an item of an ended job has an improved result; the job's clients are notified by `sendUpdate`.
    func noteImproved(_ item: ItemNumber, _ turn: Turn) throws {
        try turn.updates.insert(item)
        let since = pendingUpdates[item.job] ?? turn.now.uptime
        pendingUpdates[item.job] = since
        context.timers.set(
            .resultsUpdate(job: item.job), at: min(turn.now.uptime + policy.roundPause, since + policy.roundLimit))
    }

    /// Reads which jobs have improvements to report, and when webhooks are due. The improvements are reported after a pause, in which the followers'
    /// sockets are resumed if this process has just started.
    func reloadUpdates(_ turn: Turn) throws {
        pendingUpdates = [:]
        for job in try turn.updates.jobs() {
            pendingUpdates[job] = turn.now.uptime
            context.timers.setAtLatest(.resultsUpdate(job: job), at: turn.now.uptime + policy.roundPause)
        }
        try webhooks.reload(turn)
    }

    /// Notifies followers of a round's improvements, and plans the job's webhook, once the round has ended or ``HostPolicy/roundLimit`` has passed.
    func sendUpdate(of number: Int64, _ turn: Turn) throws {
        guard let since = pendingUpdates[number] else { return }
        let isLate = turn.now.uptime - since >= policy.roundLimit
        guard try isLate || !work.hasLaterWork(number, turn) else {
            return context.timers.set(.resultsUpdate(job: number), at: turn.now.uptime + policy.roundPause)
        }
        pendingUpdates[number] = nil
        let improved = try turn.updates.take(job: number)
        guard improved > 0, let row = try turn.jobs.job(number: number), row.endedAt != nil else { return }
        context.note(.resultsUpdated, of: row, result: "\(improved)", turn)
        logger.info("results improved", metadata: ["jobId": "\(row.id)", "books": "\(improved)"])
        try streams.notifyFollowers(of: row, improved: improved, turn)
        try planWebhook(of: row, improved: improved, turn)
    }
}

// MARK: Webhooks

extension JobEngine {
    /// Plans a webhook for a job that requested one, at most one per hour; each one includes all improvements until it is handed out (jobs.md
    /// "Webhooks").
    private func planWebhook(of row: JobRow, improved: Int, _ turn: Turn) throws {
        guard row.origin.callbackURL != nil else { return }
        let store = turn.webhooks
        if try !store.add(improved: improved, revision: row.resultsRevision, to: row.number) {
            // If the clock was set back, the time of the last webhook may be in the future. It then says nothing about when the next one is due.
            let last = try store.lastAt(job: row.number).flatMap { $0 <= turn.now.settled ? $0 : nil }
            let due = max(turn.now.settled, last.map { $0 + policy.webhooks.pause.milliseconds } ?? 0)
            try store.insert("msg_\(UUID().uuidString.lowercased())", job: row, improved: improved, dueAt: due)
            try keepReadable(row.number, until: due, turn)
        }
        try webhooks.reload(turn)
    }

    /// Records the outcome of an attempt. A success ends the webhook, whichever attempt it was; each attempt's failure counts only once.
    func recordWebhook(_ outcome: RecordWebhook.Parameters, _ turn: Turn) throws {
        guard let stored = try turn.webhooks.webhook(outcome.id), let row = try turn.jobs.job(number: stored.job) else {
            return
        }
        if outcome.fault == nil {
            try turn.webhooks.remove(stored.number)
            context.tally.webhooks.append(.delivered)
            context.note(.webhookDelivered, of: row, turn)
        } else if outcome.attempt == stored.tries {
            let tries = stored.tries + 1
            context.tally.webhooks.append(.failed)
            context.note(.webhookFailed, of: row, code: outcome.fault, turn)
            // If the clock was set back, the time of the first attempt may be in the future. The next attempt is then planned relative to now.
            let firstAt = min(stored.firstAt, turn.now.settled)
            if let next = policy.webhooks.next(after: tries, firstAt: firstAt) {
                try turn.webhooks.postpone(stored.number, tries: tries, until: max(next, turn.now.settled))
                try keepReadable(row.number, until: next, turn)
            } else {
                try turn.webhooks.remove(stored.number)
                context.tally.webhooks.append(.abandoned)
                logger.warning(
                    "webhook abandoned", metadata: ["jobId": "\(row.id)", "reason": "\(outcome.fault ?? "")"])
            }
        }
        try webhooks.reload(turn)
    }
}
