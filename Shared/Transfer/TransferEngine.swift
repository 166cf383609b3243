internal import CCurlShim
internal import Foundation
internal import Glibc

/// The suite's HTTP client: one libcurl multi handle on one thread of its own, awaited from any task.
///
/// ```swift
/// let engine = try TransferEngine(userAgent: agent)
/// let answer = try await engine.perform(TransferRequest(url: "https://openlibrary.org/isbn/9780441172719.json"))
/// await engine.shutdown()
/// ```
///
/// Connections are kept and reused, HTTP/2 and compression are used where offered, and resolved names are cached.
/// Cancelling the calling task ends its transfer at once. An engine that is released without ``shutdown()`` stops its
/// thread, too.
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
        thread.name = "transfer"
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
                    // The handler may have run before there was a submission to cancel.
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

/// How requests leave the machine, and which certificate authorities are trusted.
package struct TransferRoute: Hashable, Sendable {
    /// Straight to each host, with the system's certificates.
    package static let direct = TransferRoute()

    /// Which requests go through a proxy.
    package var proxy: ProxyRule
    /// A PEM file of certificate authorities; nil for the system's.
    package var authorities: String?

    package init(proxy: ProxyRule = .direct, authorities: String? = nil) {
        self.proxy = proxy
        self.authorities = authorities
    }
}

/// The limits of one ``TransferEngine``.
package struct TransferLimits: Hashable, Sendable {
    /// Maximum number of transfers in libcurl. Further ones wait in the engine's queue, because waiting inside libcurl
    /// would count against a transfer's timeouts.
    package var concurrent: Int
    /// Transfers that wait; beyond that a new one fails with ``TransferError/saturated``.
    package var queued: Int
    /// Idle connections kept for reuse.
    package var idleConnections: Int
    /// The largest body, in bytes, as sent and as decoded.
    package var bodyBytes: Int
    /// How many times larger than its encoded form a body may be.
    package var decodingRatio: Int
    /// Decoded bytes up to which the ratio is not checked: small answers with repeated keys compress better than any
    /// limit, and libcurl counts the bytes of a chunked body one buffer late.
    package var ratioFreeBytes: Int
    /// The largest response head, in bytes.
    package var headBytes: Int
    /// How long resolved names are kept.
    package var nameLifetime: Duration

    /// The defaults: 64 at a time, 4096 waiting, 128 idle connections, 8 MiB, 10 times beyond the first 256 KiB (metadata.md "Providers"),
    /// 64 KiB of head, names kept for 60 s.
    package init(
        concurrent: Int = 64, queued: Int = 4096, idleConnections: Int = 128, bodyBytes: Int = 8 << 20,
        decodingRatio: Int = 10, ratioFreeBytes: Int = 256 << 10, headBytes: Int = 64 << 10,
        nameLifetime: Duration = .seconds(60)
    ) {
        self.concurrent = concurrent
        self.queued = queued
        self.idleConnections = idleConnections
        self.bodyBytes = bodyBytes
        self.decodingRatio = decodingRatio
        self.ratioFreeBytes = ratioFreeBytes
        self.headBytes = headBytes
        self.nameLifetime = nameLifetime
    }
}

/// The `User-Agent` of every provider call.
///
/// Open Library answers 403 to clients without a contact (mail or URL), and Google compresses only when the word "gzip"
/// appears.
package struct UserAgent: Hashable, Sendable {
    /// The header's value, for example `BooksTrack/2.1 (books@example.org; gzip)`.
    package let text: String

    /// - Parameters:
    ///   - version: the suite's version.
    ///   - contact: a mail address or URL; nil leaves it out.
    /// - Returns: nil when a part has characters that are not allowed in a header or its comment.
    package init?(version: String, contact: String?) {
        let comment = [contact, "gzip"].compactMap(\.self).joined(separator: "; ")
        let allowed = (version + comment).utf8.allSatisfy { (0x20...0x7e).contains($0) && !"()\\".utf8.contains($0) }
        guard allowed, !version.isEmpty, !version.contains(" "), contact?.isEmpty != true else { return nil }
        text = "BooksTrack/\(version) (\(comment))"
    }
}

/// libcurl's initialisation, once per process.
enum CurlLibrary {
    /// Whether libcurl is ready. The first read initialises it; a static property runs once, as
    /// [curl_global_init](https://curl.se/libcurl/c/curl_global_init.html) asks.
    ///
    /// A write to a connection that the other side closed raises SIGPIPE inside OpenSSL, and `CURLOPT_NOSIGNAL` keeps libcurl
    /// from masking it, so the process ignores the signal.
    static let isReady: Bool = {
        signal(SIGPIPE, SIG_IGN)
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()
}
