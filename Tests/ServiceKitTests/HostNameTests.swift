import ServiceKit
import Testing

/// Origins, hosts and addresses as browsers and proxies send them (RFC 6454, RFC 9110 §7.2).
@Suite("Origins, hosts and addresses")
struct HostNameTests {
    @Test(
        "two spellings of the same origin are equal",
        arguments: [
            ("https://books.example", "HTTPS://Books.Example"), ("https://books.example", "https://books.example:443"),
            ("http://books.example", "http://books.example:80"), ("http://[::1]:3000", "http://[0:0:0:0:0:0:0:1]:3000"),
            ("http://127.0.0.1", "http://[::ffff:127.0.0.1]"), ("https://books.example", "https://books.example."),
        ])
    func same(one: String, other: String) throws {
        #expect(try #require(WebOrigin(one)) == #require(WebOrigin(other)))
    }

    @Test(
        "origins that differ in scheme, host or port are not equal",
        arguments: [
            ("https://books.example", "http://books.example"), ("https://books.example", "https://books.example:8443"),
            ("https://books.example", "https://www.books.example"), ("capacitor://localhost", "ionic://localhost"),
            ("http://books.example:443", "https://books.example"), ("http://127.0.0.1", "http://[::1]"),
        ])
    func different(one: String, other: String) throws {
        #expect(try #require(WebOrigin(one)) != #require(WebOrigin(other)))
    }

    @Test(
        "text that is not an origin yields nil",
        arguments: [
            "", "null", "books.example", "https://", "https://books.example/", "https://books.example/x", "://a",
            "https:/books.example", "1https://a", "https://a b", "https://a:b", "https://a:65536", "https://a:+80",
            "https://a:-1", "https://user@a", "https://a?x", "https://a#x", "http s://a", "https://[::1", "https://a\n",
        ])
    func none(text: String) {
        #expect(WebOrigin(text) == nil)
    }

    @Test(
        "a host is a name or an address, in lower case and without brackets, a zone or a trailing dot",
        arguments: [
            ("Books.Example", "books.example"), ("books.example.", "books.example"), ("LOCALHOST", "localhost"),
            ("api_proxy", "api_proxy"), ("127.0.0.1", "127.0.0.1"), ("[::1]", "::1"), ("::1", "::1"),
            ("[2001:DB8::1]", "2001:db8::1"), ("[fe80::1%eth0]", "fe80::1"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ])
    func hosts(text: String, host: String) {
        #expect(HostName(text)?.text == host)
    }

    @Test(
        "text that is not a host yields nil",
        arguments: ["", ".", "a b", "bücher.example", "a/b", "a:80", "*", "a@b", "[::1", "a\u{0}"])
    func noHosts(text: String) {
        #expect(HostName(text) == nil)
    }

    @Test(
        "an authority is split into its host and its port",
        arguments: [
            ("books.example:80", "books.example", 80), ("books.example", "books.example", nil),
            ("[::1]:8787", "::1", 8787),
            ("[::1]", "::1", nil), ("127.0.0.1:0", "127.0.0.1", 0), ("a:65535", "a", 65_535),
        ] as [(String, String, Int?)])
    func ports(authority: String, host: String, port: Int?) throws {
        let (found, number) = try #require(HostName.split(authority))
        #expect(found.text == host)
        #expect(number == port)
    }

    @Test(
        "an invalid port makes the whole authority invalid",
        arguments: ["a:", "a:x", "a:65536", "a:+1", ":80", "a:1:2", "[::1]:"])
    func noPorts(authority: String) {
        #expect(HostName.split(authority) == nil)
    }

    @Test("an IPv6 address in an authority needs brackets", arguments: ["::1", "::1:8787", "2001:db8::1:2", "fe80::"])
    func noBrackets(authority: String) {
        #expect(HostName.split(authority) == nil)
    }

    @Test(
        "only localhost and the loopback addresses are loopback hosts",
        arguments: [
            ("localhost", true), ("127.0.0.1", true), ("127.255.255.254", true), ("::1", true),
            ("::ffff:127.0.0.1", true),
            ("128.0.0.1", false), ("::2", false), ("localhost.example", false), ("0.0.0.0", false), ("10.0.0.1", false),
        ])
    func loopback(text: String, isLoopback: Bool) throws {
        #expect(try #require(HostName(text)).isLoopback == isLoopback)
    }

    @Test(
        "only an address that stands for all interfaces is a wildcard",
        arguments: [("0.0.0.0", true), ("::", true), ("127.0.0.1", false), ("localhost", false), ("::1", false)])
    func wildcard(text: String, isWildcard: Bool) throws {
        #expect(try #require(HostName(text)).isWildcard == isWildcard)
    }

    @Test(
        "all spellings of an address are reduced to one",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("2001:0DB8:0:0:0:0:0:1", "2001:db8::1"), ("::ffff:192.0.2.1", "192.0.2.1"),
            ("::FFFF:C000:0201", "192.0.2.1"), ("fe80::1%eth0", "fe80::1"), ("::", "::"),
        ])
    func addresses(text: String, address: String) throws {
        #expect(try #require(IPAddress(text)).description == address)
    }

    @Test(
        "text that is not an address yields nil",
        arguments: [
            "", "192.0.2", "192.0.2.256", "192.0.2.01x", "::1::", "example.org", "0x7f.1", "1", "192.0.2.1:80", "[::1]",
        ])
    func noAddresses(text: String) {
        #expect(IPAddress(text) == nil)
    }
}
