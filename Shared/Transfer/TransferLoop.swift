internal import CCurlShim

/// The engine's thread. While it runs, no other thread uses libcurl's handles, except to wake it.
///
/// Each round of the loop takes new messages from the mailbox, starts as many transfers as allowed, lets libcurl work, completes the transfers that
/// ended or timed out, and sleeps in `curl_multi_poll` until a socket, a timeout or a new message wakes it.
final class TransferLoop {
    private let mailbox: TransferMailbox
    private let multi: MultiHandle
    private let userAgent: UserAgent
    private let limits: TransferLimits
    private let route: TransferRoute
    private var queue: [TransferSubmission] = []
    private var running: [EasyHandle: CurlTransfer] = [:]
    private var handles: [UInt64: EasyHandle] = [:]
    private var pool: [EasyHandle] = []
    /// No transfer expires before this time; recomputed when it has passed.
    private var nextExpiry: ContinuousClock.Instant?

    init(
        mailbox: TransferMailbox, multi: MultiHandle, userAgent: UserAgent, limits: TransferLimits, route: TransferRoute
    ) {
        self.mailbox = mailbox
        self.multi = multi
        self.userAgent = userAgent
        self.limits = limits
        self.route = route
    }

    /// Runs until the mailbox is stopped; then every open transfer fails with ``TransferError/stopped``.
    func run() {
        while true {
            let mail = mailbox.collect()
            mail.submissions.forEach(enqueue)
            mail.cancellations.forEach(cancel)
            if mail.stops { break }
            startQueued()
            multi.perform()
            finishEnded()
            expire()
            startQueued()
            multi.wait(milliseconds: waitTime)
        }
        stop()
    }

    // MARK: Start

    private func enqueue(_ submission: TransferSubmission) {
        queue.append(submission)
        nextExpiry = min(nextExpiry ?? submission.queueDeadline, submission.queueDeadline)
    }

    private func startQueued() {
        let room = min(limits.concurrent - running.count, queue.count)
        guard room > 0 else { return }
        let now = ContinuousClock.now
        for submission in queue.prefix(room) { start(submission, now: now) }
        queue.removeFirst(room)
    }

    private func start(_ submission: TransferSubmission, now: ContinuousClock.Instant) {
        guard submission.queueDeadline > now else { return answer(submission, .failure(.saturated)) }
        let target = Origin(url: submission.request.url)
        let proxy = submission.request.address == nil ? target.flatMap { route.proxy.proxy(for: $0) } : nil
        if proxy != nil, submission.request.trust == .foreign, target?.namesPublicHost != true {
            return answer(submission, .failure(.privateAddress))
        }
        guard let easy = pool.popLast() ?? EasyHandle() else { return answer(submission, .failure(.saturated)) }
        var limits = limits
        limits.bodyBytes = min(limits.bodyBytes, submission.request.answerLimit ?? .max)
        let transfer = CurlTransfer(submission: submission, easy: easy, proxy: proxy, limits: limits, started: now)
        do {
            try easy.configure(for: transfer, userAgent: userAgent, limits: limits, authorities: route.authorities)
        } catch {
            recycle(easy)
            return answer(submission, .failure(error))
        }
        guard multi.add(easy) else {
            recycle(easy)
            return answer(submission, .failure(.invalidRequest(reason: "libcurl refused the handle")))
        }
        running[easy] = transfer
        handles[submission.id] = easy
        nextExpiry = min(nextExpiry ?? transfer.expiry, transfer.expiry)
    }

    // MARK: Finished transfers

    private func finishEnded() {
        while let (easy, code) = multi.nextFinished() {
            guard let transfer = running[easy] else { continue }
            finish(transfer, transfer.outcome(code))
        }
    }

    private func expire() {
        let now = ContinuousClock.now
        guard let nextExpiry, nextExpiry <= now else { return }
        for transfer in running.values where transfer.expiry <= now {
            transfer.easy.forbidReuse()
            finish(transfer, .failure(transfer.timeout))
        }
        queue.removeAll { submission in
            guard submission.queueDeadline <= now else { return false }
            answer(submission, .failure(.saturated))
            return true
        }
        self.nextExpiry = (running.values.map(\.expiry) + queue.map(\.queueDeadline)).min()
    }

    private func cancel(_ id: UInt64) {
        if let easy = handles[id], let transfer = running[easy] {
            finish(transfer, .failure(.cancelled))
        } else if let index = queue.firstIndex(where: { $0.id == id }) {
            answer(queue.remove(at: index), .failure(.cancelled))
        }
    }

    private func finish(_ transfer: CurlTransfer, _ outcome: TransferSubmission.Outcome) {
        multi.remove(transfer.easy)
        running[transfer.easy] = nil
        handles[transfer.submission.id] = nil
        recycle(transfer.easy)
        answer(transfer.submission, outcome)
    }

    private func recycle(_ easy: EasyHandle) {
        easy.reset()
        pool.append(easy)
    }

    private func answer(_ submission: TransferSubmission, _ outcome: TransferSubmission.Outcome) {
        mailbox.answered()
        submission.caller.resume(returning: outcome)
    }

    private func stop() {
        for transfer in Array(running.values) { finish(transfer, .failure(.stopped)) }
        for submission in queue { answer(submission, .failure(.stopped)) }
        queue = []
        for easy in pool { easy.free() }
        pool = []
        mailbox.end()
    }

    private var waitTime: Int32 {
        guard let nextExpiry else { return 60_000 }
        return min(60_000, ContinuousClock.now.duration(to: nextExpiry).wholeMilliseconds)
    }
}

/// libcurl's multi handle.
///
/// Unchecked: after initialization, everything except `wakeUp()` is called only on the engine's thread, and libcurl allows `curl_multi_wakeup` on any
/// thread (https://curl.se/libcurl/c/curl_multi_wakeup.html). ``TransferMailbox`` ensures that it is not called after the handle has been freed.
struct MultiHandle: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    /// - Returns: nil if libcurl is out of memory or cannot be initialized.
    init?(limits: TransferLimits) {
        guard CurlLibrary.isReady, let handle = curl_multi_init() else { return nil }
        self.handle = handle
        curlshim_multi_set_long(handle, CURLMOPT_MAXCONNECTS, limits.idleConnections)
        curlshim_multi_set_long(handle, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    }

    func wakeUp() {
        curl_multi_wakeup(handle)
    }

    func add(_ easy: EasyHandle) -> Bool {
        curl_multi_add_handle(handle, easy.pointer) == CURLM_OK
    }

    func remove(_ easy: EasyHandle) {
        curl_multi_remove_handle(handle, easy.pointer)
    }

    func perform() {
        var running: Int32 = 0
        curl_multi_perform(handle, &running)
    }

    /// Returns the next finished transfer and libcurl's result; nil if there is none.
    func nextFinished() -> (easy: EasyHandle, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(handle, &left)?.pointee {
            guard message.msg == CURLMSG_DONE, let easy = message.easy_handle else { continue }
            return (EasyHandle(pointer: easy), message.data.result)
        }
        return nil
    }

    /// Waits for a socket, a libcurl timer or a wake-up, at most for `milliseconds`.
    func wait(milliseconds: Int32) {
        curl_multi_poll(handle, nil, 0, milliseconds, nil)
    }

    func free() {
        curl_multi_cleanup(handle)
    }
}
