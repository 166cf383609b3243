internal import CCurlShim
package import Foundation

/// A GET request to a URL, or a POST if there is a body. Redirects are not followed; ``RedirectChain`` decides whether to
/// follow them with further requests.
package struct TransferRequest: Hashable, Sendable {
    /// The absolute URL.
    package var url: String
    /// Headers in addition to those that the engine sets, such as `User-Agent` and `Accept-Encoding`.
    package var headers: [HeaderField]
    /// The body of a POST; nil for a GET.
    package var body: TransferBody?
    /// Local server to connect to instead of the URL's host; nil to use that host.
    package var server: LocalServer?
    /// The only address to connect to, whatever the URL's host name currently resolves to; if set, the request uses no proxy.
    package var address: TargetAddress?
    /// The rule for the URL's scheme and address.
    package var trust: HopTrust
    package var timeouts: TransferTimeouts
    /// The time after which the response is no longer useful, even if the request is still in the queue. If nil, the request may spend up to
    /// ``TransferTimeouts/total`` in the queue and the same again transferring.
    package var deadline: ContinuousClock.Instant?
    /// Maximum length of the response body in bytes; nil for ``TransferLimits/bodyBytes``, which it cannot exceed.
    package var answerLimit: Int?
    /// Whether a longer body is truncated instead of causing a failure. The response then contains the bytes up to the limit, and the rest is not
    /// received.
    package var cutsAnswer: Bool

    package init(
        url: String, headers: [HeaderField] = [], body: TransferBody? = nil, server: LocalServer? = nil,
        address: TargetAddress? = nil, trust: HopTrust = .configured, timeouts: TransferTimeouts = .init(),
        deadline: ContinuousClock.Instant? = nil, answerLimit: Int? = nil, cutsAnswer: Bool = false
    ) {
        self.url = url
        self.headers = headers
        self.body = body
        self.server = server
        self.address = address
        self.trust = trust
        self.timeouts = timeouts
        self.deadline = deadline
        self.answerLimit = answerLimit
        self.cutsAnswer = cutsAnswer
    }
}

/// One request header that cannot break out of its line (RFC 9110 §5.1, §5.5).
package struct HeaderField: Hashable, Sendable {
    /// The name, a token.
    package let name: String
    /// The value: visible ASCII, spaces and tabs.
    package let value: String

    /// - Returns: nil if the name is not a token, or if the value contains a non-ASCII character or a control character other than a tab.
    package init?(name: String, value: String) {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte),
            value.utf8.allSatisfy({ $0 == 0x09 || (0x20...0x7e).contains($0) })
        else { return nil }
        self.name = name
        self.value = value
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

/// How far a request's target is trusted (metadata.md "Providers").
package enum HopTrust: Hashable, Sendable {
    /// A configured base URL's own origin: `http` is allowed, and so is any address that the host name resolves to, because an operator chose it (a
    /// mirror, an emulator, a container name).
    case configured
    /// Anywhere else, reached by a redirect: `https` only, and only public addresses. The address is checked when the socket is opened, so a name
    /// that resolves differently the second time cannot bypass the check. If a proxy resolves the name, only the name is checked.
    case foreign
}

/// How long one transfer may take. All three timeouts begin when the transfer leaves the queue.
package struct TransferTimeouts: Hashable, Sendable {
    /// The time until the connection is established, including name resolution and TLS.
    package var connect: Duration
    /// The time until the first byte of the response; measured by the engine's own timer (metadata.md "Providers").
    package var firstByte: Duration
    /// The time until the last byte of the response.
    package var total: Duration

    /// The defaults are those of metadata.md "Providers": 2, 5 and 10 s.
    package init(connect: Duration = .seconds(2), firstByte: Duration = .seconds(5), total: Duration = .seconds(10)) {
        self.connect = connect
        self.firstByte = firstByte
        self.total = total
    }
}

/// A response to a ``TransferRequest``, whatever its status: complete, or truncated as ``TransferRequest/cutsAnswer`` allows.
package struct TransferResponse: Hashable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// The decoded body.
    package let body: Data
    /// The `Retry-After` header as sent; nil if there is none.
    package let retryAfter: String?
    /// The target of a redirect (301, 302, 303, 307, 308) as an absolute URL; nil if the response has none.
    package let redirectTarget: String?
    /// Number of body bytes received, before decoding.
    package let wireBytes: Int
    /// Whether the request used a connection opened by an earlier request.
    package let reusedConnection: Bool
}

/// Reads the `Retry-After` header (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The delay requested by a header value: seconds, or an HTTP date in any of the three forms.
    /// - Parameter date: The calendar time to compare an HTTP date with; a past date means no delay.
    /// - Returns: nil if the value cannot be read, so the caller falls back to its own backoff.
    package static func delay(_ value: String, at date: Date) -> Duration? {
        let text = value.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // A number too large for 32 bits counts as the maximum delay.
            return .seconds(Int32(text) ?? .max)
        }
        guard text.contains(":"), case let time = curl_getdate(text, nil), time >= 0 else { return nil }
        return .seconds(max(0, (Double(time) - date.timeIntervalSince1970).rounded(.up)))
    }
}
