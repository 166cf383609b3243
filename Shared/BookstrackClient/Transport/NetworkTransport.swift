public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Reaches a server over the network.
///
/// On Apple platforms it uses `URLSession`; on Linux SwiftNIO, if the package trait `NIOTransport` is enabled. Without the trait Linux has only
/// `URLSession`: no WebSockets, so that jobs are followed by event streams, and a connection that breaks within the head of an answer ends the
/// process (swift-corelibs-foundation). Programs that have to bear bad networks enable the trait.
public struct NetworkTransport: ClientTransport {
    /// The results of the largest job have a tenth of it.
    private static let answerLimit = 256 << 20

    private let baseURL: URL
    private let userAgent: String
    #if canImport(FoundationNetworking) && NIOTransport
        private let connections: NIOConnections
    #else
        private let streams: StreamingSession
    #endif

    /// Uses the server at `baseURL`, for example `https://api.example.org`; a path is kept in front of every route. `configuration` may hold
    /// proxies, cellular access and the like where `URLSession` is used; its caches are switched off.
    ///
    /// On Linux an `https` server needs a certificate of an authority of the system, or of one in the PEM file that `SSL_CERT_FILE` names.
    public init(
        baseURL: URL, userAgent: String = "bookstrack-swift", configuration: URLSessionConfiguration = .ephemeral
    ) {
        self.baseURL = baseURL
        self.userAgent = userAgent
        #if canImport(FoundationNetworking) && NIOTransport
            connections = NIOConnections()
        #else
            // A stream per job, and calls beside them.
            configuration.httpMaximumConnectionsPerHost = 64
            configuration.urlCache = nil
            configuration.httpShouldSetCookies = false
            streams = StreamingSession(configuration)
        #endif
    }

    #if canImport(FoundationNetworking) && NIOTransport
        /// Uses the server at `baseURL`, and trusts the authorities in a PEM file alone.
        package init(baseURL: URL, authorities: String) {
            self.baseURL = baseURL
            userAgent = "bookstrack-swift"
            connections = NIOConnections(authorities: authorities)
        }
    #endif

    /// Sends a request and waits for the whole answer, of at most 256 MiB.
    public func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer {
        let stream = try await stream(request)
        var answer = stream.head
        do {
            for try await piece in stream.body {
                answer.body.append(piece)
                guard answer.body.count <= Self.answerLimit else {
                    throw TransportFailure.malformed("the answer is larger than \(Self.answerLimit) bytes")
                }
            }
        } catch {
            throw TransportFailure(error)
        }
        if Task.isCancelled { throw .cancelled }
        return answer
    }

    /// Sends a request and returns with the head of its answer.
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
            return try await URLSessionSocket.open(prepared)
        #elseif NIOTransport
            return try await NIOSocket.open(prepared, connections)
        #else
            throw .unsupported("WebSockets on Linux need the package trait NIOTransport")
        #endif
    }

    private func urlRequest(_ request: ClientRequest, scheme: String?) throws(TransportFailure) -> URLRequest {
        guard var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: false), parts.host?.isEmpty == false,
            ["http", "https"].contains(parts.scheme?.lowercased() ?? "")
        else { throw .unreachable("\"\(baseURL)\" is not an address such as https://api.example.org") }
        if let scheme { parts.scheme = scheme }
        let target = request.target.split(separator: "?", maxSplits: 1)
        let path = parts.percentEncodedPath
        parts.percentEncodedPath = (path.hasSuffix("/") ? String(path.dropLast()) : path) + (target.first ?? "")
        parts.percentEncodedQuery = target.count > 1 ? String(target[1]) : nil
        guard let url = parts.url else { throw .unreachable("\(request.target) is not a path") }
        var prepared = URLRequest(url: url)
        prepared.httpMethod = request.method
        prepared.httpBody = request.body
        prepared.timeoutInterval = request.timeout.seconds
        prepared.setValue(userAgent, forHTTPHeaderField: "User-Agent")
        for (name, value) in request.headers { prepared.setValue(value, forHTTPHeaderField: name) }
        return prepared
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

extension TransportFailure {
    /// What an error of `URLSession` means.
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
