import BookstrackContract
import NIOConcurrencyHelpers

/// Admits uploads before their bodies are read. Limits the number of uploads in total and per client, and their total size, including stored files
/// (http-api.md "Uploads").
final class UploadLimiter: Sendable {
    struct Limits: Sendable {
        /// Maximum number of concurrent uploads.
        var running = 32
        /// Maximum number of concurrent uploads per client.
        var runningPerClient = 8
        /// Maximum total size of all uploads in bytes, including stored files (`BOOKSTRACK_MAX_UPLOAD_BYTES_TOTAL`).
        var bytes: Int
    }

    private struct Running {
        var count = 0
        var bytes = 0
        var clients: [ClientNetwork: Int] = [:]
    }

    private let limits: Limits
    private let running = NIOLockedValueBox(Running())

    init(_ limits: Limits) { self.limits = limits }

    /// Number of uploads in progress.
    var count: Int { running.withLockedValue(\.count) }

    /// Admits an upload.
    ///
    /// - Parameters:
    ///   - bytes: Maximum total size of the upload's files, in bytes.
    ///   - stored: Total size of the stored files (``UploadDirectory/storedBytes()``), in bytes.
    /// - Throws: 503; the client may try again later.
    func enter(_ client: ClientNetwork, bytes: Int, stored: Int) throws(APIFailure) -> Permit {
        let refusal = running.withLockedValue { running -> APIFailure? in
            guard running.count < limits.running else { return .uploads("Too many concurrent uploads.", retryAfter: 5) }
            guard running.clients[client, default: 0] < limits.runningPerClient else {
                return .uploads("Too many concurrent uploads from this address.", retryAfter: 5)
            }
            guard stored + running.bytes + bytes <= limits.bytes else {
                return .uploads("Uploaded files take up too much space.", retryAfter: 30)
            }
            running.count += 1
            running.bytes += bytes
            running.clients[client, default: 0] += 1
            return nil
        }
        if let refusal { throw refusal }
        return Permit { self.leave(client, bytes) }
    }

    private func leave(_ client: ClientNetwork, _ bytes: Int) {
        running.withLockedValue { running in
            running.count -= 1
            running.bytes -= bytes
            running.clients.decrement(client)
        }
    }
}

extension APIFailure {
    /// The refusal of an upload.
    fileprivate static func uploads(_ sentence: String, retryAfter: Int) -> APIFailure {
        APIFailure(.serviceUnavailable, "\(sentence) Please try again.", retryAfter: retryAfter)
    }
}
