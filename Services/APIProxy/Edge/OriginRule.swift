import BookstrackContract
import HTTPTypes
import NIOCore
import NIOHTTP1
import ServiceKit

/// Decides which web pages may call the API: those of the listed origins, and the listener's own (http-api.md "Origins").
struct OriginRule: Sendable {
    var listed = OriginList()
    /// Host names under which the listener's own pages may be opened. Any other name is foreign, since DNS rebinding may have pointed it at this
    /// machine.
    var hosts = HostList()
    var trustedProxies = TrustedProxies()

    private static let fetchSite = HTTPField.Name.known("Sec-Fetch-Site")
    private static let forwardedHost = HTTPField.Name.known("X-Forwarded-Host")
    private static let forwardedProtocol = HTTPField.Name.known("X-Forwarded-Proto")

    /// Throws 403 for a request from a foreign page. Clients other than browsers pass, since they send neither `Origin` nor
    /// `Sec-Fetch-Site`.
    ///
    /// - Parameter host: The request's `Host`.
    func check(_ fields: HTTPFields, host: String?, on channel: any Channel) throws(APIFailure) {
        guard let origin = fields[.origin] else {
            // A `<form>` in old browsers, and `fetch` with `mode: "no-cors"`, may omit Origin.
            guard fields[Self.fetchSite]?.lowercased() == "cross-site" else { return }
            throw Self.refusal
        }
        guard listed.allows(origin) || isOwn(origin, fields, host: host, on: channel) else { throw Self.refusal }
    }

    /// Whether the origin's scheme, host and port are those of the request, and the host is in ``hosts``. Forwarded values count only if they come
    /// from trusted proxies.
    func isOwn(_ origin: String, _ fields: HTTPFields, host: String?, on channel: any Channel) -> Bool {
        let scheme = isForwarded(on: channel) ? Self.last(fields[Self.forwardedProtocol]) : nil
        guard let origin = WebOrigin(origin), let authority = authority(fields, host: host, channel),
            origin == WebOrigin(scheme: scheme ?? "http", authority: authority)
        else { return false }
        return hosts.contains(origin.host, at: channel.localAddress)
    }

    /// Host and port that the client requested: as forwarded by a trusted proxy, otherwise as sent in the request itself; nil if neither is present.
    func authority(_ fields: HTTPFields, host: String?, _ channel: any Channel) -> String? {
        (isForwarded(on: channel) ? Self.last(fields[Self.forwardedHost]) : nil) ?? host
    }

    private func isForwarded(on channel: any Channel) -> Bool {
        trustedProxies.trusts(ClientAddress(channel.remoteAddress))
    }

    /// The entry that the nearest proxy added; nil if there is none.
    private static func last(_ field: String?) -> String? {
        field?.split(separator: ",").last.map { $0.filter { $0 != " " && $0 != "\t" } }
    }

    private static let refusal = APIFailure(.forbidden, "Requests from this origin are not allowed.")
}

/// Origins whose pages may call the API, in addition to the listener's own (http-api.md "Origins").
struct OriginList: Sendable, Equatable {
    /// The default origins: the web app, local development, and apps built with Capacitor or Ionic.
    static let documented = SettingKey.corsOrigins.fallback

    private struct AnyPort: Hashable {
        var scheme: String
        var host: HostName
    }

    private let exact: Set<WebOrigin>
    /// Origins for which any port, or none, is allowed.
    private let anyPort: Set<AnyPort>

    /// Entries are origins; a trailing `:*` stands for any port.
    init(_ entries: [String] = documented) {
        exact = Set(entries.compactMap { WebOrigin($0) })
        anyPort = Set(
            entries.filter { $0.hasSuffix(":*") }.compactMap { WebOrigin($0.dropLast(2)) }
                .map { AnyPort(scheme: $0.scheme, host: $0.host) })
    }

    func allows(_ text: String) -> Bool {
        guard let origin = WebOrigin(text) else { return false }
        return exact.contains(origin) || anyPort.contains(AnyPort(scheme: origin.scheme, host: origin.host))
    }
}

/// The host names under which a listener may be addressed: localhost, a loopback address, its configured host, the address to which the connection
/// was made, and further names. Unlike names, addresses cannot be rebound.
struct HostList: Sendable {
    private let names: Set<HostName>

    /// - Parameter names: The configured host and further ones. Wildcard addresses are ignored, because any page can make a browser connect to this
    ///   machine by requesting 0.0.0.0.
    init(_ names: [HostName] = []) { self.names = Set(names.filter { !$0.isWildcard }) }

    func contains(_ host: HostName, at local: SocketAddress?) -> Bool {
        if host.isLoopback || names.contains(host) { return true }
        guard let address = host.address, !host.isWildcard else { return false }
        return local?.ipAddress.flatMap { IPAddress($0) } == address
    }

    /// Throws 403 for a request whose `Host` is not one of these names. Such a request may come from a page whose host name was rebound to this
    /// machine.
    func check(_ authority: String?, on channel: any Channel) throws(APIFailure) {
        // A browser always sends the host name; other clients may omit it (RFC 9112 §3.2).
        guard let authority, !authority.isEmpty, !authority.hasPrefix(":") else { return }
        guard let (host, _) = HostName.split(authority), contains(host, at: channel.localAddress) else {
            throw APIFailure(
                .forbidden, "Unknown Host for this listener; add it to BOOKSTRACK_ADMIN_HOSTS to allow it.")
        }
    }
}

/// RFC 9112 §3.2: an HTTP/1.1 request has exactly one valid `Host`; an older request has at most one.
enum HostRule {
    /// Why the head breaks the rule; nil if it does not.
    static func fault(of head: HTTPRequestHead) -> String? {
        let hosts = head.headers["Host"]
        switch hosts.count {
        case 0: return head.version == .http1_1 ? "Host is missing" : nil
        case 1: return hosts[0].utf8.allSatisfy(isAllowed) ? nil : "Host is not valid"
        default: return "Host is repeated"
        }
    }

    /// Whether a byte may occur in `uri-host [ ":" port ]` (RFC 3986 §3.2.2).
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-._~!$&'()*+,;=%:[]".utf8.contains(byte)
        }
    }
}
