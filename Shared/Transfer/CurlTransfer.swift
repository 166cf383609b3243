internal import CCurlShim
internal import Foundation
internal import Glibc

/// A running transfer: the data collected by its callbacks, and its deadlines. Used only on the engine's thread.
final class CurlTransfer {
    let submission: TransferSubmission
    let easy: EasyHandle
    /// The proxy for the request; nil if none is used.
    let proxy: String?
    let headerList: UnsafeMutablePointer<curl_slist>?
    /// Where to connect instead of the URL's host (https://curl.se/libcurl/c/CURLOPT_CONNECT_TO.html).
    let addressList: UnsafeMutablePointer<curl_slist>?
    private let limits: TransferLimits
    private let started: ContinuousClock.Instant
    /// Reads the request body.
    private let body: TransferBodyReader?
    private var phase = TransferPhase.connect
    private var headBytes = 0
    private var answer = Data()
    /// Why a callback has made the transfer fail, or refused to open a socket to an address; nil if neither has happened, or if libcurl has connected
    /// to another address since.
    private(set) var refusal: TransferError?
    /// Whether the response was truncated at its maximum length.
    private var isCut = false
    /// The socket opened for this transfer; nil if it uses an earlier transfer's connection.
    private var openedSocket: Int32?

    init(
        submission: TransferSubmission, easy: EasyHandle, proxy: String?, limits: TransferLimits,
        started: ContinuousClock.Instant
    ) {
        self.submission = submission
        self.easy = easy
        self.proxy = proxy
        self.limits = limits
        self.started = started
        addressList = submission.request.address.flatMap { curl_slist_append(nil, "::\($0):") }
        body = submission.request.body.map { TransferBodyReader($0) }
        // libcurl would otherwise send `Expect: 100-continue` before a body of more than a megabyte, and wait for an interim response that few
        // servers send.
        let noExpectation = body == nil ? nil : curl_slist_append(nil, "Expect:")
        headerList = submission.request.headers.reduce(noExpectation) { list, field in
            // A header without a value is written with a semicolon (https://curl.se/libcurl/c/CURLOPT_HTTPHEADER.html).
            curl_slist_append(list, field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)") ?? list
        }
    }

    deinit {
        curl_slist_free_all(headerList)
        curl_slist_free_all(addressList)
    }

    /// The deadline of the current phase. It never moves backwards, because all timeouts are measured from the start and an earlier phase's timeout
    /// is capped at those of the later phases.
    var expiry: ContinuousClock.Instant {
        let timeouts = submission.request.timeouts
        let span =
            switch phase {
            case .connect: min(timeouts.connect, timeouts.firstByte, timeouts.total)
            case .firstByte: min(timeouts.firstByte, timeouts.total)
            case .total: timeouts.total
            }
        let phaseEnd = started.advanced(by: span)
        return submission.request.deadline.map { min($0, phaseEnd) } ?? phaseEnd
    }

    /// The error of a transfer whose ``expiry`` has passed.
    var timeout: TransferError { .timedOut(phase) }

    /// Whether the socket may connect to any address, even a private one, because an operator configured the host, or the proxy if there is one.
    private var goesAnywhere: Bool { submission.request.trust == .configured || proxy != nil }

    // MARK: Callbacks (returning false ends the transfer; in `allows`, it only refuses an address)

    /// Whether the request may be sent over the connection, new or reused, that is now ready.
    func connected(to address: String) -> Bool {
        phase = .firstByte
        if let server = submission.request.server, let openedSocket, !server.isServed(by: openedSocket) {
            return refuse(
                .connectionFailed(.unreachable, reason: "another user's process is listening at \(server.path)"))
        }
        guard reaches(TargetAddress(address)) else { return refuse(.privateAddress) }
        // Another address of the host may have been refused before.
        refusal = nil
        return true
    }

    /// Whether a socket to a resolved address may be opened.
    func allows(_ address: UnsafePointer<sockaddr>) -> Bool {
        if submission.request.server != nil { return true }
        guard let address = TargetAddress(address) else { return refuse(.privateAddress) }
        return reaches(address) || refuse(.privateAddress)
    }

    /// Whether the request may be sent to an address.
    private func reaches(_ address: TargetAddress?) -> Bool {
        if let pinned = submission.request.address { return address == pinned }
        return goesAnywhere || address?.isPublic == true
    }

    /// Records the opened socket.
    func opened(_ socket: Int32) { openedSocket = socket }

    func receivedHead(bytes: Int) -> Bool {
        phase = .total
        headBytes += bytes
        return headBytes <= limits.headBytes || refuse(.tooLarge)
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let total = answer.count + bytes.count
        guard total <= limits.bodyBytes else {
            guard submission.request.cutsAnswer else { return refuse(.tooLarge) }
            answer.append(contentsOf: bytes.prefix(limits.bodyBytes - answer.count))
            isCut = true
            return false
        }
        if total > limits.ratioFreeBytes, (total - limits.ratioFreeBytes) / limits.decodingRatio > easy.wireBytes {
            return refuse(.tooLarge)
        }
        answer.append(contentsOf: bytes)
        return true
    }

    /// Writes the next bytes of the request body to `buffer` and returns their number; nil ends the transfer.
    func send(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        if let count = body?.read(into: buffer) { return count }
        refusal = .invalidRequest(reason: "the request body cannot be read")
        return nil
    }

    /// Starts the body again from the beginning, because libcurl repeats the request.
    func sendAgain() { body?.rewind() }

    private func refuse(_ error: TransferError) -> Bool {
        refusal = error
        return false
    }

    // MARK: Outcome

    /// Converts libcurl's result into the outcome for the caller.
    func outcome(_ code: CURLcode) -> TransferSubmission.Outcome {
        guard code != CURLE_OK, !isCut else { return .success(response) }
        if let refusal { return .failure(refusal) }
        let reason = String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_OPERATION_TIMEDOUT:
            return .failure(timeout)
        case CURLE_FILESIZE_EXCEEDED:
            return .failure(.tooLarge)
        case CURLE_BAD_CONTENT_ENCODING, CURLE_WEIRD_SERVER_REPLY,
            CURLE_UNSUPPORTED_PROTOCOL
        where phase != .connect:
            return .failure(.malformedAnswer(reason: reason))
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_OUT_OF_MEMORY:
            return .failure(.invalidRequest(reason: reason))
        default:
            return .failure(connectionFailure(code, reason: reason))
        }
    }

    private func connectionFailure(_ code: CURLcode, reason: String) -> TransferError {
        let isAtProxy = proxy != nil && phase == .connect
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return .connectionFailed(.name, reason: reason)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return .connectionFailed(.tls, reason: reason)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .connectionFailed(.proxy, reason: reason)
        case _ where isAtProxy && easy.proxyStatus >= 300:
            return .connectionFailed(.proxy, reason: "it responded to CONNECT with status \(easy.proxyStatus)")
        case _ where isAtProxy: return .connectionFailed(.proxy, reason: reason)
        case CURLE_COULDNT_CONNECT: return .connectionFailed(.unreachable, reason: reason)
        // This includes CURLE_HTTP2, for example if the server has ended the connection without processing the request (GOAWAY, RFC 9113 §6.8).
        default: return .connectionFailed(.broken, reason: reason)
        }
    }

    private var response: TransferResponse {
        let status = easy.status
        return TransferResponse(
            status: status, body: answer, retryAfter: easy.header("Retry-After"),
            redirectTarget: [301, 302, 303, 307, 308].contains(status) ? easy.redirectTarget : nil,
            wireBytes: easy.wireBytes,
            reusedConnection: easy.openedConnections == 0)
    }
}

/// The C functions that libcurl calls during a ``CurlTransfer``, on the engine's thread.
enum TransferCallbacks {
    /// Points the handle's callbacks at `transfer`, which ``TransferLoop`` keeps alive while the handle is in use.
    static func install(on easy: EasyHandle, for transfer: CurlTransfer) throws(TransferError) {
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        try easy.check(curlshim_set_open_socket(easy.pointer, openSocket, context))
        try easy.check(curlshim_set_prerequest(easy.pointer, beforeRequest, context))
        try easy.check(curlshim_set_header(easy.pointer, headerLine, context))
        try easy.check(curlshim_set_write(easy.pointer, bodyPart, context))
        guard transfer.submission.request.body != nil else { return }
        try easy.check(curlshim_set_read(easy.pointer, postedPart, context))
        try easy.check(curlshim_set_seek(easy.pointer, seek, context))
    }

    private static func transfer(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    private static let openSocket: curl_opensocket_callback = { context, _, address in
        guard let context, let address, transfer(context).allows(curlshim_address(address)) else {
            return CURL_SOCKET_BAD
        }
        let (family, type) = (address.pointee.family, address.pointee.socktype)
        let socket = socket(family, type | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
        transfer(context).opened(socket)
        return socket
    }

    private static let beforeRequest: curl_prereq_callback = { context, peer, _, _, _ in
        guard let context, let peer, transfer(context).connected(to: String(cString: peer)) else {
            return CURL_PREREQFUNC_ABORT
        }
        return CURL_PREREQFUNC_OK
    }

    private static let headerLine: curl_write_callback = { _, size, count, context in
        guard let context, transfer(context).receivedHead(bytes: size * count) else { return 0 }
        return size * count
    }

    private static let bodyPart: curl_write_callback = { bytes, size, count, context in
        let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
        guard let context, transfer(context).receivedBody(part) else { return 0 }
        return size * count
    }

    private static let postedPart: curl_read_callback = { buffer, size, count, context in
        let room = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
        guard let context, let sent = transfer(context).send(into: room) else { return Int(CURL_READFUNC_ABORT) }
        return sent
    }

    private static let seek: curl_seek_callback = { context, offset, origin in
        guard let context, offset == 0, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
        transfer(context).sendAgain()
        return CURL_SEEKFUNC_OK
    }
}
