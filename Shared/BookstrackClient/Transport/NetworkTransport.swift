public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Reaches a server over the network.
///
/// It uses `URLSession` on Apple platforms, and SwiftNIO on Linux if the package trait `NIOTransport` is enabled. Without the trait, `URLSession` is
/// used on Linux too. On Linux, `URLSession` has no WebSockets, so jobs are followed over event streams, and it crashes the process if a connection
/// breaks within a response head (swift-corelibs-foundation). Programs that must survive bad networks should enable the trait.
public struct NetworkTransport: ClientTransport {
    /// Maximum size of a response in bytes. The results of the largest job take up about a tenth of this.
    private static let answerLimit = 256 << 20

    /// Maximum timeout in seconds, about 30 years. Much longer ones would overflow where they are counted in nanoseconds.
    private static let maxTimeout: TimeInterval = 1e9

    private let baseURL: URL
    private let userAgent: String
    #if canImport(FoundationNetworking) && NIOTransport
        private let connections: NIOConnections
    #else
        private let streams: StreamingSession
    #endif

    /// Uses the server at `baseURL`, for example `https://api.example.org`; its path, if any, is prepended to every route. Where `URLSession` is
    /// used, `configuration` may set proxies, cellular access and similar options, also for WebSockets; caches and cookies are disabled. Only
    /// `URLSession` follows redirects: those of GET requests to the same host. Otherwise, the response is the redirect.
    ///
    /// With SwiftNIO, the certificate of an `https` server must be signed by a system authority or, if `SSL_CERT_FILE` is set, by one in that PEM
    /// file.
    public init(
        baseURL: URL, userAgent: String = "bookstrack-swift", configuration: URLSessionConfiguration = .ephemeral
    ) {
        self.baseURL = baseURL
        self.userAgent = userAgent
        #if canImport(FoundationNetworking) && NIOTransport
            connections = NIOConnections()
        #else
            streams = StreamingSession(
                configuration.changed {
                    // One stream per job, plus concurrent calls.
                    $0.httpMaximumConnectionsPerHost = 64
                    $0.urlCache = nil
                    $0.httpShouldSetCookies = false
                })
        #endif
    }

    #if canImport(FoundationNetworking) && NIOTransport
        /// Uses the server at `baseURL`, and trusts only the authorities in a PEM file.
        package init(baseURL: URL, authorities: String) {
            self.baseURL = baseURL
            userAgent = "bookstrack-swift"
            connections = NIOConnections(authorities: authorities)
        }
    #endif

    /// Sends a request and returns the complete response, of at most 256 MiB.
    public func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer {
        let stream = try await stream(request)
        var answer = stream.head
        do {
            for try await piece in stream.body {
                answer.body.append(piece)
                guard answer.body.count <= Self.answerLimit else {
                    throw TransportFailure.malformed("the response is larger than \(Self.answerLimit) bytes")
                }
            }
        } catch {
            throw TransportFailure(error)
        }
        if Task.isCancelled { throw .cancelled }
        return answer
    }

    /// Sends a request and returns when the response head has arrived.
    public func stream(_ request: ClientRequest) async throws(TransportFailure) -> ClientStream {
        let prepared = try urlRequest(request, scheme: nil)
        #if canImport(FoundationNetworking) && NIOTransport
            return try await NIOExchange.start(prepared, over: connections)
        #else
            return try await streams.start(prepared)
        #endif
    }

    /// Opens a WebSocket.
    public func webSocket(_ request: ClientRequest, subprotocol: String) async throws(TransportFailure)
        -> any WebSocketConnection
    {
        let scheme = baseURL.scheme?.lowercased() == "https" ? "wss" : "ws"
        var prepared = try urlRequest(request, scheme: scheme)
        prepared.setValue(subprotocol, forHTTPHeaderField: "Sec-WebSocket-Protocol")
        #if !canImport(FoundationNetworking)
            return try await URLSessionSocket.open(prepared, streams.configuration)
        #elseif NIOTransport
            return try await NIOSocket.open(prepared, connections)
        #else
            throw .unsupported("WebSockets on Linux require the package trait NIOTransport")
        #endif
    }

    private func urlRequest(_ request: ClientRequest, scheme: String?) throws(TransportFailure) -> URLRequest {
        guard var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: false), parts.host?.isEmpty == false,
            ["http", "https"].contains(parts.scheme?.lowercased() ?? "")
        else { throw .unreachable("\"\(baseURL)\" is not a URL such as https://api.example.org") }
        if let scheme { parts.scheme = scheme }
        // The target is parsed, because setting a part that has invalid characters ends the process. A host or fragment would be dropped silently.
        guard request.target.hasPrefix("/"), let target = URLComponents(string: request.target), target.host == nil,
            target.fragment == nil
        else { throw .unreachable("\(request.target) is not a path") }
        let path = parts.percentEncodedPath
        parts.percentEncodedPath = (path.hasSuffix("/") ? String(path.dropLast()) : path) + target.percentEncodedPath
        parts.percentEncodedQuery = target.percentEncodedQuery
        guard let url = parts.url else { throw .unreachable("\(request.target) is not a path") }
        var prepared = URLRequest(url: url)
        prepared.httpMethod = request.method
        prepared.httpBody = request.body
        prepared.timeoutInterval = min(request.timeout.seconds, Self.maxTimeout)
        prepared.setValue(userAgent, forHTTPHeaderField: "User-Agent")
        for (name, value) in request.headers { prepared.setValue(value, forHTTPHeaderField: name) }
        return prepared
    }
}

extension URLSessionConfiguration {
    /// A changed copy, since the app may use its configuration for other sessions.
    func changed(_ change: (URLSessionConfiguration) -> Void) -> URLSessionConfiguration {
        let copy = copy() as? URLSessionConfiguration ?? .ephemeral
        change(copy)
        return copy
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

extension TransportFailure {
    /// Translates a `URLSession` error.
    init(_ error: any Error) {
        switch error {
        case let failure as TransportFailure: self = failure
        case is CancellationError: self = .cancelled
        case let error as URLError:
            switch error.code {
            case .cancelled: self = .cancelled
            case .timedOut: self = .timedOut
            case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
                .internationalRoamingOff, .dataNotAllowed, .callIsActive, .secureConnectionFailed:
                self = .unreachable(error.localizedDescription)
            case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid:
                self = .untrusted(error.localizedDescription)
            case .badServerResponse, .cannotParseResponse: self = .malformed(error.localizedDescription)
            default: self = .lost(error.localizedDescription)
            }
        default: self = .lost(String(describing: error))
        }
    }
}
