internal import Foundation

/// The suite's HTTP client: one libcurl multi handle on one thread of its own, awaited from any task.
///
/// ```swift
/// let engine = try TransferEngine(userAgent: agent)
/// let answer = try await engine.perform(TransferRequest(url: "https://openlibrary.org/isbn/9780441172719.json"))
/// await engine.shutdown()
/// ```
///
/// Connections are kept and reused, HTTP/2 and compression are taken where offered, names are cached. Cancelling the
/// calling task ends its transfer at once. An engine that is let go of without ``shutdown()`` stops its thread too.
package final class TransferEngine: Sendable {
    private let mailbox: TransferMailbox

    /// Starts the thread.
    /// - Throws: ``TransferError/stopped`` when libcurl cannot be initialised.
    package init(
        userAgent: UserAgent, limits: TransferLimits = TransferLimits(), route: TransferRoute = .direct
    ) throws(TransferError) {
        guard let multi = MultiHandle(limits: limits) else { throw .stopped }
        let mailbox = TransferMailbox(multi: multi, limits: limits)
        self.mailbox = mailbox
        let thread = Thread {
            TransferLoop(mailbox: mailbox, multi: multi, userAgent: userAgent, limits: limits, route: route).run()
        }
        thread.name = "provider-http"
        thread.start()
    }

    deinit {
        mailbox.stop()
    }

    /// Makes one request.
    /// - Returns: the complete answer, whatever its status; redirects are answers.
    /// - Throws: ``TransferError``; ``TransferError/cancelled`` when the task is or was cancelled.
    package func perform(_ request: TransferRequest) async throws(TransferError) -> TransferResponse {
        guard !Task.isCancelled else { throw .cancelled }
        let id = mailbox.newID()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let submission = TransferSubmission(id: id, request: request, caller: caller, submitted: .now)
                if let refusal = mailbox.submit(submission) {
                    caller.resume(returning: .failure(refusal))
                } else if Task.isCancelled {
                    // The handler may have run before the submission was there to be cancelled.
                    mailbox.cancel(id)
                }
            }
        } onCancel: {
            mailbox.cancel(id)
        }
        return try outcome.get()
    }

    /// Fails everything in flight and waiting with ``TransferError/stopped``, and returns when the thread has freed all
    /// handles. Later requests fail the same way.
    package func shutdown() async {
        mailbox.stop()
        await mailbox.ended()
    }
}
