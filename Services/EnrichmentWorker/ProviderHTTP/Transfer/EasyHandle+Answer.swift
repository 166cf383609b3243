internal import CCurlShim

/// What a finished (or, for bytes, running) transfer tells.
extension EasyHandle {
    var status: Int { long(CURLINFO_RESPONSE_CODE) }

    /// What the proxy answered to CONNECT; 0 without one.
    var proxyStatus: Int { long(CURLINFO_HTTP_CONNECTCODE) }

    /// Connections that this transfer opened; none means that it found one open.
    var openedConnections: Int { long(CURLINFO_NUM_CONNECTS) }

    /// Body bytes received so far, before decoding.
    var wireBytes: Int {
        var value: curl_off_t = 0
        curlshim_get_offset(pointer, CURLINFO_SIZE_DOWNLOAD_T, &value)
        return Int(value)
    }

    /// The target of a redirect as an absolute URL.
    var redirectTarget: String? {
        var text: UnsafeMutablePointer<CChar>?
        curlshim_get_string(pointer, CURLINFO_REDIRECT_URL, &text)
        return text.map { String(cString: $0) }
    }

    /// The last value of a header of the final answer.
    func header(_ name: String) -> String? {
        var header: UnsafeMutablePointer<curl_header>?
        guard curl_easy_header(pointer, name, 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK, let header else {
            return nil
        }
        return String(cString: header.pointee.value)
    }

    private func long(_ info: CURLINFO) -> Int {
        var value = 0
        curlshim_get_long(pointer, info, &value)
        return value
    }
}
