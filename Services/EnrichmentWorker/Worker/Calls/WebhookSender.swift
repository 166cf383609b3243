import BookstrackContract
import Crypto
import Foundation
import JSONRPC
import Logging
import NIOPosix
import ServiceKit
import SuiteMethods
import Transfer

/// Sends webhooks (jobs.md "Webhooks") to listed hosts only. The host name is resolved and the address checked before the connection is made.
/// Redirects are not followed, and no proxy is used, because a proxy would resolve the name again.
struct WebhookSender: Sendable {
    /// Maximum number of bytes of a response to read.
    private static let answerLimit = 1_024

    let hosts: WebhookHosts
    let signature: WebhookSignature
    let engine: TransferEngine
    /// How long an attempt may take, including name resolution.
    var timeLimit = Duration.seconds(5)
    /// Resolves a host's addresses, like `TargetAddress.resolve`; may block.
    var resolve: @Sendable (String) -> [TargetAddress] = { TargetAddress.resolve($0) }

    /// Creates a sender; nil if no webhook host is listed.
    ///
    /// - Throws: `SettingsError` if there is no usable key to sign with.
    init?(_ settings: Settings, _ engine: TransferEngine) throws(SettingsError) {
        hosts = WebhookHosts(settings[.webhookHosts])
        guard !hosts.isEmpty else { return nil }
        guard let secret = settings[.webhookSecret] else {
            throw .contradiction("\(SettingKey.webhookHosts.name) needs \(SettingKey.webhookSecret.name)")
        }
        signature = try WebhookSignature(secret)
        self.engine = engine
    }

    /// Makes one attempt; throws unless the response indicates success.
    func send(_ call: WebhookCall) async throws(WebhookFault) {
        let deadline = ContinuousClock.now.advanced(by: timeLimit)
        let target: WebhookTarget
        do throws(WebhookRefusal) {
            target = try hosts.target(call.url)
        } catch {
            throw .refused(error)
        }
        let address = try await address(of: target, before: deadline)
        guard ContinuousClock.now < deadline else { throw .transfer(.timedOut(.connect)) }
        let body = Self.body(call)
        let fields = signature.fields(id: call.id, timestamp: Int(Date().timeIntervalSince1970), body: body)
        let request = TransferRequest(
            url: call.url,
            headers: fields + [HeaderField(name: "Content-Type", value: "application/json")].compactMap(\.self),
            body: TransferBody([.text(body)]), address: address,
            timeouts: TransferTimeouts(connect: timeLimit, firstByte: timeLimit, total: timeLimit),
            deadline: deadline, answerLimit: Self.answerLimit, cutsAnswer: true)
        let answer: TransferResponse
        do throws(TransferError) {
            answer = try await engine.perform(request)
        } catch {
            throw .transfer(error)
        }
        guard (200..<300).contains(answer.status) else { throw .status(answer.status) }
    }

    /// The address to connect to. If any address of a host must not be called, the host is not called at all: its name is misconfigured, or its
    /// addresses change between lookups.
    private func address(
        of target: WebhookTarget, before deadline: ContinuousClock.Instant
    ) async throws(WebhookFault) -> TargetAddress {
        guard let addresses = await addresses(of: target.host.text, before: deadline) else {
            throw .transfer(Task.isCancelled ? .cancelled : .timedOut(.connect))
        }
        guard let first = addresses.first else { throw .unresolved }
        guard addresses.allSatisfy({ target.admits($0) }) else { throw .forbiddenAddress }
        return first
    }

    /// The addresses of a host; nil if the deadline passes or the task is cancelled first. The thread that resolves the name cannot be interrupted
    /// and is not waited for.
    private func addresses(of host: String, before deadline: ContinuousClock.Instant) async -> [TargetAddress]? {
        let (answers, answer) = AsyncStream.makeStream(of: [TargetAddress].self)
        NIOThreadPool.singleton.submit { [resolve] state in
            // An attempt that has already ended needs no resolution, which would keep the pool's other users waiting.
            guard case .active = state, ContinuousClock.now < deadline else { return answer.finish() }
            answer.yield(resolve(host))
        }
        let timer = Task {
            try? await Task.sleep(until: deadline, clock: .continuous)
            answer.finish()
        }
        defer { timer.cancel() }
        return await answers.first { _ in true }
    }

    private static func body(_ call: WebhookCall) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(Body(call))).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// The request body. It contains no books.
    private struct Body: Encodable {
        var id: String
        var type = FrameType.resultsUpdated
        var jobId: JobID
        var resultsRevision: Int
        var improved: Int
        var resultsUrl: String

        init(_ call: WebhookCall) {
            id = call.id
            jobId = call.jobId
            resultsRevision = call.resultsRevision
            improved = call.improved
            resultsUrl = APIPath.results(call.jobId)
        }
    }
}

extension WebhookTarget {
    /// Whether the webhook may be called at an address; `http` is allowed only on a private network.
    fileprivate func admits(_ address: TargetAddress) -> Bool {
        address.isPublic ? isSecure : mayBePrivate
    }
}

/// Why an attempt to send a webhook failed.
enum WebhookFault: Error, Equatable {
    /// The URL is no longer allowed, for example because its host is no longer listed.
    case refused(WebhookRefusal)
    /// The host name has no address.
    case unresolved
    /// The host name resolves to an address that must not be called.
    case forbiddenAddress
    case transfer(TransferError)
    /// The response does not indicate success.
    case status(Int)

    /// A word for logs and the tail.
    var code: String {
        switch self {
        case .refused(let refusal): refusal.rawValue
        case .unresolved: "unresolved"
        case .forbiddenAddress: "forbidden_address"
        case .transfer(let error): error.code
        case .status(let status): "status_\(status)"
        }
    }
}

// MARK: Claims

extension WebhookSender {
    /// Maximum number of webhooks that the worker sends concurrently.
    private static let atOnce = 4
    /// How long to wait for a connection to progress-host before recording an outcome. A webhook whose outcome is lost is sent again.
    private static let recordWait = Duration.seconds(10)

    /// How webhooks are claimed, sent and recorded.
    func work(at host: RPCClient, _ policy: WorkerPolicy, _ logger: Logger) -> StepClaimLoop<WebhookCall>.Work {
        let wait = ClaimWebhook.Parameters(waitMilliseconds: policy.claimWaitMilliseconds)
        return .init(
            atOnce: Self.atOnce, permits: StepPermits(Self.atOnce),
            claim: { connection throws(RPCError) in try await connection.call(ClaimWebhook.self, wait).webhook },
            run: { call, _ in
                let fault = await outcome(of: call, logger)
                // The worker is stopping, which is not the receiver's fault. The webhook is handed out again when its lease ends.
                guard fault != .transfer(.cancelled) else { return }
                try? await host.waitUntilConnected(within: Self.recordWait)
                _ = try? await host.call(
                    RecordWebhook.self, .init(id: call.id, attempt: call.attempt, fault: fault?.code))
            })
    }

    private func outcome(of call: WebhookCall, _ logger: Logger) async -> WebhookFault? {
        do throws(WebhookFault) {
            try await send(call)
            return nil
        } catch {
            logger.notice("webhook not delivered", metadata: ["jobId": "\(call.jobId)", "reason": "\(error.code)"])
            return error
        }
    }
}

/// Signs webhooks as specified by Standard Webhooks (https://www.standardwebhooks.com), so receivers can verify them with a library.
struct WebhookSignature: Sendable {
    /// Prefix of a base64-encoded key.
    private static let encodedPrefix = "whsec_"

    private let key: SymmetricKey

    /// - Parameter secret: `whsec_` followed by a key in base64, or any other string, whose bytes are then the key.
    /// - Throws: `SettingsError` for an empty key, or one that is not base64 despite its prefix.
    init(_ secret: Secret) throws(SettingsError) {
        let text = secret.exposed
        let bytes =
            text.hasPrefix(Self.encodedPrefix)
            ? Data(base64Encoded: String(text.dropFirst(Self.encodedPrefix.count))) : Data(text.utf8)
        guard let bytes, !bytes.isEmpty else {
            throw .contradiction("\(SettingKey.webhookSecret.name) must be base64 after \(Self.encodedPrefix)")
        }
        key = SymmetricKey(data: bytes)
    }

    /// The header fields that sign a body.
    ///
    /// - Parameter timestamp: Seconds since 1970.
    func fields(id: String, timestamp: Int, body: String) -> [HeaderField] {
        let signed = Data("\(id).\(timestamp).\(body)".utf8)
        let signature = Data(HMAC<SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
        return [
            HeaderField(name: "Webhook-Id", value: id), HeaderField(name: "Webhook-Timestamp", value: "\(timestamp)"),
            HeaderField(name: "Webhook-Signature", value: "v1,\(signature)"),
        ].compactMap(\.self)
    }
}
