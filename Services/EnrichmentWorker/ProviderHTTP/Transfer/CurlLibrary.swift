internal import CCurlShim
internal import Glibc

/// What libcurl needs once per process.
enum CurlLibrary {
    /// Whether libcurl is ready. The first read initialises it; a static property runs once, as
    /// [curl_global_init](https://curl.se/libcurl/c/curl_global_init.html) asks.
    ///
    /// A write to a connection that the other side closed raises SIGPIPE inside OpenSSL, and `CURLOPT_NOSIGNAL` keeps libcurl
    /// from masking it: the process ignores the signal.
    static let isReady: Bool = {
        signal(SIGPIPE, SIG_IGN)
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()
}
