internal import CCurlShim
internal import Glibc

/// The C functions that libcurl calls while it works on a ``Transfer``, on the engine's thread.
enum TransferCallbacks {
    /// Points the handle's callbacks at `transfer`, which ``TransferLoop`` keeps alive while the handle is in use.
    static func install(on easy: EasyHandle, for transfer: Transfer) throws(TransferError) {
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        try easy.check(curlshim_set_open_socket(easy.pointer, openSocket, context))
        try easy.check(curlshim_set_prerequest(easy.pointer, beforeRequest, context))
        try easy.check(curlshim_set_header(easy.pointer, headerLine, context))
        try easy.check(curlshim_set_write(easy.pointer, bodyPart, context))
    }

    private static func transfer(_ context: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    private static let openSocket: curl_opensocket_callback = { context, _, address in
        guard let context, let address, transfer(context).allows(curlshim_address(address)) else {
            return CURL_SOCKET_BAD
        }
        let (family, type) = (address.pointee.family, address.pointee.socktype)
        return socket(family, type | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
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
}
