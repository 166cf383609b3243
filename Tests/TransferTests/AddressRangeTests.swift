import Testing
import Transfer

/// The special ranges in the IANA registries, at their edges: a redirect or a webhook must not reach the first or last
/// address of any range, but may reach the adjacent addresses if those are public. Also the forms of origins and base
/// URLs, and the codes of failures and refusals.
@Suite("Address ranges, origins and error codes")
struct AddressRangeTests {
    private func isPublic(_ text: String) throws -> Bool { try #require(TargetAddress(text), "\(text)").isPublic }

    @Test(
        "the first and last addresses of a special range are not public",
        arguments: [
            // RFC 6890 and its successors, range by range.
            ("0.0.0.0", "0.255.255.255"), ("10.0.0.0", "10.255.255.255"), ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"), ("169.254.0.0", "169.254.255.255"), ("172.16.0.0", "172.31.255.255"),
            ("192.0.0.0", "192.0.0.255"), ("192.0.2.0", "192.0.2.255"), ("192.88.99.0", "192.88.99.255"),
            ("192.168.0.0", "192.168.255.255"), ("198.18.0.0", "198.19.255.255"), ("198.51.100.0", "198.51.100.255"),
            ("203.0.113.0", "203.0.113.255"), ("224.0.0.0", "239.255.255.255"), ("240.0.0.0", "255.255.255.255"),
            ("::", "::1"), ("::ffff:0.0.0.0", "::ffff:255.255.255.255"),
            ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"),
            ("100::", "100::ffff:ffff:ffff:ffff"), ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ])
    func ranges(first: String, last: String) throws {
        #expect(try !isPublic(first))
        #expect(try !isPublic(last))
    }

    @Test(
        "addresses near the special ranges but outside them are public",
        arguments: [
            "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0",
            "192.0.3.0",
            "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
            "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
            "2001:200::", "2001:db7:ffff::", "2001:db9::", "2003::1", "2a00::1", "3ffe::1",
        ])
    func neighbors(text: String) throws {
        #expect(try isPublic(text))
    }

    @Test(
        "a NAT64 or 6to4 address is classified like the IPv4 address that it embeds",
        arguments: [
            ("64:ff9b::8.8.8.8", true), ("64:ff9b::10.0.0.1", false), ("64:ff9b::169.254.169.254", false),
            ("2002:808:808::1", true), ("2002:a00:1::1", false), ("2002:a9fe:a9fe::1", false),
        ])
    func embedded(text: String, isPublic: Bool) throws {
        #expect(try self.isPublic(text) == isPublic)
    }

    @Test(
        "an origin is written with its port, whether or not the URL contained one",
        arguments: [
            ("https://openlibrary.org", "https://openlibrary.org:443"),
            ("http://openlibrary.org", "http://openlibrary.org:80"),
            ("HTTPS://OpenLibrary.ORG:8443/x?y#z", "https://openlibrary.org:8443"),
            ("http://127.0.0.1:1", "http://127.0.0.1:1"),
            ("http://[::1]:1/", "http://[::1]:1"), ("https://a:65535", "https://a:65535"),
        ])
    func origins(url: String, text: String) {
        #expect(Origin(url: url)?.description == text)
    }

    @Test(
        "a base URL keeps its path but not its trailing slashes",
        arguments: [
            ("https://a.example", "/v", "https://a.example/v"), ("https://a.example/", "/v", "https://a.example/v"),
            ("https://a.example/b/v1", "/x?q=1", "https://a.example/b/v1/x?q=1"),
            ("https://a.example/b///", "/x", "https://a.example/b/x"), ("http://[::1]:80", "/x", "http://[::1]:80/x"),
        ])
    func bases(base: String, path: String, url: String) throws {
        #expect(try #require(BaseURL(base)).url(path: path) == url)
    }

    @Test(
        "text that is not a base URL yields nil",
        arguments: [
            "", "/x", "a.example", "ftp://a", "https://", "https://a?x", "https://a#x", "https://u@a", "https://a b",
            "https://ä",
        ])
    func noBases(text: String) {
        #expect(BaseURL(text) == nil)
    }

    @Test(
        "each transfer failure has a code, which metrics use as a label",
        arguments: [
            (TransferError.timedOut(.connect), "timeout_connect"), (.timedOut(.firstByte), "timeout_first_byte"),
            (.timedOut(.total), "timeout_total"), (.connectionFailed(.name, reason: "r"), "connection_failed_dns"),
            (.connectionFailed(.unreachable, reason: "r"), "connection_failed_unreachable"),
            (.connectionFailed(.tls, reason: "r"), "connection_failed_tls"),
            (.connectionFailed(.proxy, reason: "r"), "connection_failed_proxy"),
            (.connectionFailed(.broken, reason: "r"), "connection_failed_connection"),
            (.privateAddress, "private_address"),
            (.tooLarge, "too_large"), (.malformedAnswer(reason: "r"), "malformed_answer"),
            (.invalidRequest(reason: "r"), "invalid_request"), (.saturated, "saturated"), (.cancelled, "cancelled"),
            (.stopped, "stopped"),
        ])
    func codes(error: TransferError, code: String) {
        #expect(error.code == code)
    }

    @Test("each reason for refusing a redirect has a code")
    func redirects() {
        #expect(
            RedirectRefusal.allCases.map(\.rawValue) == [
                "too_many", "malformed", "insecure", "foreign_host", "private_address", "leaks_credential",
            ])
    }
}
