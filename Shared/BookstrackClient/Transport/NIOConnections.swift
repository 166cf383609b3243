#if NIOTransport && canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import NIOCore
    import NIOPosix
    import NIOSSL

    /// State shared by the connections of one transport: the trusted authorities, and idle connections kept for the next request.
    final class NIOConnections: Sendable {
        /// Time for which an idle connection is kept: less than the 60 s after which the server closes it.
        static let idleLimit = TimeAmount.seconds(30)
        private static let countLimit = 8

        private let authorities: String?
        private let context = Locked<NIOSSLContext?>(nil)
        private let idle = Locked<[any Channel]>([])

        /// Trusts the authorities in a PEM file instead of the system's. Without `authorities`, OpenSSL's environment variable `SSL_CERT_FILE` may
        /// specify the file.
        init(authorities: String? = ProcessInfo.processInfo.environment["SSL_CERT_FILE"]) {
            self.authorities = authorities
        }

        deinit { for channel in idle.withLock(\.self) { channel.close(promise: nil) } }

        /// The TLS context. It is created only once, because reading the system's authorities takes longer than a handshake.
        func tls() throws -> NIOSSLContext {
            try context.withLock { context in
                if let context { return context }
                var configuration = TLSConfiguration.makeClientConfiguration()
                configuration.minimumTLSVersion = .tlsv12
                if let authorities { configuration.trustRoots = .file(authorities) }
                do {
                    let made = try NIOSSLContext(configuration: configuration)
                    context = made
                    return made
                } catch {
                    throw TransportFailure.untrusted(
                        "the certificate authorities \(authorities.map { "in \($0) " } ?? "")cannot be read: \(error)")
                }
            }
        }

        /// Takes an idle connection that is still open; nil if there is none.
        func takeIdle() -> (any Channel)? {
            idle.withLock { idle in
                while let channel = idle.popLast() {
                    if channel.isActive { return channel }
                }
                return nil
            }
        }

        /// Keeps a connection whose response is complete; beyond the limit, closes the one that has been idle longest.
        func keep(_ channel: any Channel) {
            let surplus = idle.withLock { idle in
                idle.append(channel)
                return idle.count > Self.countLimit ? idle.removeFirst() : nil
            }
            surplus?.close(promise: nil)
        }
    }

    /// The target of a request, and how to connect to it.
    struct NIOConnecting {
        /// The certificate contains the server's address, but not its name.
        fileprivate struct OtherName: Error {}

        /// How a broken connection is reported to the caller.
        static let closedEarly = "the server closed the connection before its response was complete"

        let host: String
        /// Path and query.
        let target: String
        /// The value of `Host` (RFC 9112 §3.2).
        let hostField: String
        /// How long to wait for the server to send something.
        let timeout: TimeAmount

        private let port: Int
        private let tls: NIOSSLContext?

        init(_ request: URLRequest, _ connections: NIOConnections) throws {
            guard let url = request.url, let host = url.host(percentEncoded: false) else {
                throw TransportFailure.unreachable("the URL has no host")
            }
            let isSecure = url.scheme == "wss" || url.scheme == "https"
            self.host = host
            port = url.port ?? (isSecure ? 443 : 80)
            let name = host.contains(":") ? "[\(host)]" : host
            hostField = url.port.map { "\(name):\($0)" } ?? name
            let path = url.path(percentEncoded: true)
            target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
            tls = isSecure ? try connections.tls() : nil
            timeout = .nanoseconds(Int64(request.timeoutInterval * 1e9))
        }

        /// Connects; `prepare` adds the handlers that follow the TLS handler.
        func connect(on loop: any EventLoop, _ prepare: @escaping @Sendable (any Channel) throws -> Void) async throws
            -> any Channel
        {
            try await ClientBootstrap(group: loop)
                .connectTimeout(.seconds(5))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls { try channel.pipeline.syncOperations.addHandler(try tlsHandler(tls)) }
                        try prepare(channel)
                    }
                }
                .connect(host: host, port: port).get()
        }

        /// Creates the TLS handler. SNI does not allow IP addresses (RFC 6066 §3).
        ///
        /// NIOSSL accepts a certificate for the IP address to which a name resolves, and an attacker on the network path may own such an address. If
        /// the host is given by name, the certificate must contain that name (RFC 9110 §4.3.4).
        private func tlsHandler(_ context: NIOSSLContext) throws -> NIOSSLClientHandler {
            let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
            if isAddress { return try NIOSSLClientHandler(context: context, serverHostname: nil) }
            return try ._makeSSLClientHandler(context: context, serverHostname: host) { [host] certificate, channel in
                let names = certificate._subjectAlternativeNames()
                // If the certificate has no alternative names, NIOSSL has compared its common name.
                let isNamed =
                    names.isEmpty
                    || names.contains {
                        $0.nameType == .dnsName
                            && CertificateName(String(decoding: $0.contents, as: UTF8.self)).matches(host)
                    }
                return isNamed
                    ? channel.eventLoop.makeSucceededVoidFuture() : channel.eventLoop.makeFailedFuture(OtherName())
            }
        }

        /// Runs `body` and translates its errors.
        static func translate<Value>(_ request: URLRequest, _ body: () async throws -> Value)
            async throws(TransportFailure) -> Value
        {
            do {
                return try await body()
            } catch {
                throw Task.isCancelled ? .cancelled : TransportFailure(error, of: request.url)
            }
        }
    }

    /// A host name in a certificate (RFC 9525 §6.3).
    struct CertificateName {
        private let labels: [Substring]

        init(_ name: String) { labels = Self.labels(name) }

        /// Whether this name matches a host. A wildcard stands for the whole first label, and only in a name of three or more labels.
        func matches(_ host: String) -> Bool {
            let asked = Self.labels(host)
            guard labels.count == asked.count, let first = labels.first else { return false }
            if first != "*" { return labels == asked }
            return labels.count > 2 && labels.dropFirst() == asked.dropFirst()
        }

        private static func labels(_ name: String) -> [Substring] {
            let name = name.lowercased()
            return (name.hasSuffix(".") ? name.dropLast() : name[...])
                .split(separator: ".", omittingEmptySubsequences: false)
        }
    }

    extension TransportFailure {
        /// Translates a SwiftNIO error on a connection to `url`.
        fileprivate init(_ error: any Error, of url: URL?) {
            let server = url?.server ?? "the server"
            switch error {
            case let failure as TransportFailure: self = failure
            case is CancellationError: self = .cancelled
            case let error as NIOConnectionError:
                let reason = error.connectionErrors.last.map { Self.reason($0.error) }
                self = .unreachable("nothing answers at \(server) (\(reason ?? "the name \(error.host) is unknown"))")
            case ChannelError.connectTimeout:
                self = .unreachable("nothing answers at \(server) (no response within 5 s)")
            case is NIOSSLExtraError, is NIOConnecting.OtherName:
                self = .untrusted("the certificate of \(server) is for another name")
            case NIOSSLError.handshakeFailed(let reason):
                switch Self.handshakeFault("\(reason)") {
                // BoringSSL reports the same error for every certificate it rejects.
                case "CERTIFICATE_VERIFY_FAILED":
                    self = .untrusted("the certificate of \(server) is not valid, or not signed by a trusted authority")
                // The server does not speak TLS, usually because it speaks plain HTTP.
                case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST":
                    self = .unreachable("\(server) does not speak TLS")
                case let fault: self = .unreachable("\(server) failed the TLS handshake (\(fault))")
                }
            case is NIOSSLError, is BoringSSLError: self = .lost("the TLS connection to \(server) broke: \(error)")
            case is IOError: self = .lost(NIOConnecting.closedEarly)
            default: self = .malformed("\(error)")
            }
        }

        /// The name of the first error in BoringSSL's description, which also contains numbers and source file names.
        private static func handshakeFault(_ description: String) -> String {
            guard let start = description.range(of: "OPENSSL_internal:")?.upperBound else { return description }
            return String(description[start...].prefix { $0.isUppercase || $0.isNumber || $0 == "_" })
        }

        private static func reason(_ error: any Error) -> String {
            switch error {
            case let error as IOError where error.errnoCode == ECONNREFUSED: "connection refused"
            case let error as IOError where error.errnoCode == ECONNRESET: "connection reset"
            case ChannelError.connectTimeout: "no response within 5 s"
            default: "\(error)"
            }
        }
    }

    extension URL {
        /// Scheme, host and port of the server, as in the URL with which the client was created.
        fileprivate var server: String {
            guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else { return absoluteString }
            if parts.scheme == "ws" { parts.scheme = "http" }
            if parts.scheme == "wss" { parts.scheme = "https" }
            (parts.path, parts.query) = ("", nil)
            return parts.string ?? absoluteString
        }
    }
#endif
