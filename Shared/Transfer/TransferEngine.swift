internal import CCurlShim
internal import Foundation
internal import Glibc

/// The suite's HTTP client: one libcurl multi handle on its own thread, usable from any task.
///
/// ```swift
/// let engine = try TransferEngine(userAgent: agent)
/// let answer = try await engine.perform(TransferRequest(url: "https://openlibrary.org/isbn/9780441172719.json"))
/// await engine.shutdown()
/// ```
///
/// Connections are kept and reused, HTTP/2 and compression are used where offered, and resolved names are cached.
/// Cancelling the calling task ends its transfer. An engine that is released without ``shutdown()`` also stops its thread.
package final class TransferEngine: Sendable {
    private let mailbox: TransferMailbox

    /// Starts the thread.
    /// - Throws: ``TransferError/stopped`` if libcurl cannot be initialized.
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
    /// - Returns: The response, whatever its status; redirects are returned as responses.
    /// - Throws: ``TransferError``; ``TransferError/cancelled`` if the task is cancelled.
    package func perform(_ request: TransferRequest) async throws(TransferError) -> TransferResponse {
        guard !Task.isCancelled else { throw .cancelled }
        let id = mailbox.newID()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let submission = TransferSubmission(id: id, request: request, caller: caller, submitted: .now)
                if let refusal = mailbox.submit(submission) {
                    caller.resume(returning: .failure(refusal))
                } else if Task.isCancelled {
                    // The cancellation handler may have run before there was a submission to cancel.
                    mailbox.cancel(id)
                }
            }
        } onCancel: {
            mailbox.cancel(id)
        }
        return try outcome.get()
    }

    /// Fails all running and waiting transfers with ``TransferError/stopped``, and returns when the thread has freed all handles. Later requests fail
    /// in the same way.
    package func shutdown() async {
        mailbox.stop()
        await mailbox.ended()
    }
}

/// How requests leave the machine, and which certificate authorities are trusted.
package struct TransferRoute: Hashable, Sendable {
    /// Directly to each host, with the system's certificates.
    package static let direct = TransferRoute()

    /// The rule for using a proxy.
    package var proxy: ProxyRule
    /// A PEM file of certificate authorities; nil for the system's authorities.
    package var authorities: String?

    package init(proxy: ProxyRule = .direct, authorities: String? = nil) {
        self.proxy = proxy
        self.authorities = authorities
    }
}

/// The limits of one ``TransferEngine``.
package struct TransferLimits: Hashable, Sendable {
    /// Maximum number of transfers in libcurl. Further transfers wait in the engine's queue, because waiting inside libcurl would count against their
    /// timeouts.
    package var concurrent: Int
    /// Maximum number of waiting transfers; beyond this, a new transfer fails with ``TransferError/saturated``.
    package var queued: Int
    /// Maximum number of idle connections kept for reuse.
    package var idleConnections: Int
    /// Maximum length of a response body in bytes, encoded as well as decoded.
    package var bodyBytes: Int
    /// Maximum ratio of a body's decoded length beyond ``ratioFreeBytes`` to its encoded length.
    package var decodingRatio: Int
    /// Decoded length up to which the ratio is not checked, because small responses with repeated keys can exceed any reasonable ratio, and libcurl
    /// counts the bytes of a chunked body one buffer late.
    package var ratioFreeBytes: Int
    /// Maximum length of a response head in bytes.
    package var headBytes: Int
    /// How long resolved names are cached.
    package var nameLifetime: Duration

    /// The defaults: 64 transfers at a time, 4096 waiting, 128 idle connections, 8 MiB, ratio 10 beyond the first 256 KiB (metadata.md "Providers"),
    /// 64 KiB for the response head, and names cached for 60 s.
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

/// The `User-Agent` of an engine's requests.
///
/// Open Library and Wikidata allow more requests to clients with a contact (e-mail address or URL), and Wikidata may refuse others. Google compresses
/// only if the word "gzip" appears.
package struct UserAgent: Hashable, Sendable {
    /// The header's value, for example `BooksTrack/2.1 (books@example.org; gzip)`.
    package let text: String

    /// - Parameters:
    ///   - version: The suite's version.
    ///   - contact: An e-mail address or URL; nil omits it.
    /// - Returns: nil if a part is empty or has characters that are not allowed there.
    package init?(version: String, contact: String?) {
        let comment = [contact, "gzip"].compactMap(\.self).joined(separator: "; ")
        let allowed = (version + comment).utf8.allSatisfy { (0x20...0x7e).contains($0) && !"()\\".utf8.contains($0) }
        guard allowed, !version.isEmpty, !version.contains(" "), contact?.isEmpty != true else { return nil }
        text = "BooksTrack/\(version) (\(comment))"
    }
}

/// Initializes libcurl once per process.
enum CurlLibrary {
    /// Whether libcurl is ready. The first read initializes libcurl; a static property is evaluated only once, as
    /// [curl_global_init](https://curl.se/libcurl/c/curl_global_init.html) requires.
    ///
    /// Writing to a connection that the peer has closed raises SIGPIPE inside OpenSSL, and `CURLOPT_NOSIGNAL` prevents libcurl from masking it, so
    /// the process ignores the signal.
    static let isReady: Bool = {
        signal(SIGPIPE, SIG_IGN)
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()
}
