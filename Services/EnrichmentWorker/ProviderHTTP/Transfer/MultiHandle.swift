internal import CCurlShim

/// libcurl's multi handle.
///
/// Unchecked: everything but `wakeUp()` is called on the engine's thread only, and `curl_multi_wakeup` is the one function that
/// libcurl allows on other threads (https://curl.se/libcurl/c/curl_multi_wakeup.html). ``TransferMailbox`` makes sure that it is
/// not called once the handle is freed.
struct MultiHandle: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    /// - Returns: nil when libcurl has no memory or cannot be initialised.
    init?(limits: TransferLimits) {
        guard CurlLibrary.isReady, let handle = curl_multi_init() else { return nil }
        self.handle = handle
        curlshim_multi_set_long(handle, CURLMOPT_MAXCONNECTS, limits.idleConnections)
        curlshim_multi_set_long(handle, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    }

    func wakeUp() {
        curl_multi_wakeup(handle)
    }

    func add(_ easy: EasyHandle) -> Bool {
        curl_multi_add_handle(handle, easy.pointer) == CURLM_OK
    }

    func remove(_ easy: EasyHandle) {
        curl_multi_remove_handle(handle, easy.pointer)
    }

    func perform() {
        var running: Int32 = 0
        curl_multi_perform(handle, &running)
    }

    /// The next transfer that ended, with libcurl's verdict.
    func nextFinished() -> (easy: EasyHandle, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(handle, &left)?.pointee {
            guard message.msg == CURLMSG_DONE, let easy = message.easy_handle else { continue }
            return (EasyHandle(pointer: easy), message.data.result)
        }
        return nil
    }

    /// Waits for a socket, a timer of libcurl's, a wake-up, or `milliseconds`.
    func wait(milliseconds: Int32) {
        curl_multi_poll(handle, nil, 0, milliseconds, nil)
    }

    func free() {
        curl_multi_cleanup(handle)
    }
}
