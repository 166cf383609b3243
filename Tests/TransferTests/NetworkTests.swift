import Testing
import Transfer

@Suite("Addresses, origins, header fields and redirects")
struct NetworkTests {
    @Test(
        "addresses on the public internet are recognized",
        arguments: [
            "8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2001:4860:4860::8888",
            "64:ff9b::808:808",
        ])
    func isPublic(text: String) throws {
        #expect(try #require(TargetAddress(text)).isPublic)
    }

    @Test(
        "addresses that a redirect must not reach are recognized",
        arguments: [
            "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1", "169.254.169.254",
            "172.16.0.1", "172.31.255.255", "192.168.1.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.7",
            "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "::", "::1",
            "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::7f00:1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1",
            "ff02::1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::1", "2002:c0a8:101::1", "2001::1",
            "2001:db8::1", "3fff::1",
        ])
    func isPrivate(text: String) throws {
        #expect(try #require(TargetAddress(text)).isPublic == false)
    }

    @Test(
        "text that is not an address is rejected",
        arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "0x7f000001", "[::1]", "fe80::1%eth0"])
    func noAddress(text: String) {
        #expect(TargetAddress(text) == nil)
    }

    @Test("origins are compared by scheme, host and port")
    func origins() {
        #expect(Origin(url: "https://openlibrary.org/x") == Origin(url: "HTTPS://OpenLibrary.org:443?y"))
        #expect(Origin(url: "http://openlibrary.org") != Origin(url: "https://openlibrary.org"))
        #expect(Origin(url: "https://openlibrary.org:8443") != Origin(url: "https://openlibrary.org"))
        #expect(Origin(url: "http://2130706433/")?.host == "127.0.0.1")
    }

    @Test(
        "text that is not an origin is rejected",
        arguments: [
            "", "/x", "ftp://a", "file:///etc/passwd", "http://user@a/", "http://u:p@a/", "https://", "http://a b/",
        ])
    func noOrigin(url: String) {
        #expect(Origin(url: url) == nil)
    }

    @Test("a base URL accepts only absolute, percent-encoded paths")
    func baseURL() throws {
        let base = try #require(BaseURL("https://www.googleapis.com/books/v1/"))
        #expect(base.url(path: "/volumes?q=isbn:1") == "https://www.googleapis.com/books/v1/volumes?q=isbn:1")
        for path in ["", "volumes", "/a b", "/ü", "/a#b", "/a\r\nX: y"] { #expect(base.url(path: path) == nil) }
        for text in ["", "openlibrary.org", "https://a?b", "https://a#b", "ftp://a"] { #expect(BaseURL(text) == nil) }
    }

    @Test("header values and the User-Agent cannot contain line breaks")
    func headers() {
        #expect(HeaderField(name: "X-Key", value: "a b") != nil)
        #expect(HeaderField(name: "X Key", value: "a") == nil)
        #expect(HeaderField(name: "X-Key", value: "a\r\nHost: b") == nil)
        #expect(UserAgent(version: "1.0", contact: nil)?.text == "BooksTrack/1.0 (gzip)")
        #expect(
            UserAgent(version: "1.0", contact: "https://example.org")?.text
                == "BooksTrack/1.0 (https://example.org; gzip)")
        #expect(UserAgent(version: "1.0", contact: "a)\n(") == nil)
        #expect(UserAgent(version: "1.0", contact: "") == nil)
    }

    func chain(_ base: String = "https://api.example/v1", secret: String? = nil) throws -> RedirectChain {
        RedirectChain(base: try #require(Origin(url: base)), secret: secret)
    }

    @Test("a redirect within the configured origin keeps the API key, and a redirect to another origin drops it")
    func credentials() throws {
        var chain = try chain()
        let own = try chain.follow("https://api.example/v2").get()
        #expect(own.carriesCredential)
        let away = try chain.follow("https://cdn.example/v2").get()
        #expect(!away.carriesCredential)
        #expect(away.trust == .foreign)
    }

    @Test("a redirect to another origin is refused if it repeats the API key")
    func leak() throws {
        var chain = try chain(secret: "s3cret")
        #expect(chain.follow("https://cdn.example/?key=s3cret") == .failure(.leaksCredential))
        let own = try chain.follow("https://api.example/?key=s3cret").get()
        #expect(own.carriesCredential)
    }

    @Test(
        "an API key is recognized in a redirect target however it is percent-encoded",
        arguments: ["AIza-b_c", "AIza%2Db%5Fc"],
        [
            "https://cdn.example/?key=AIza-b_c", "https://cdn.example/?key=AIza%2Db%5Fc",
            "https://cdn.example/?key=AIza%2db%5fc", "https://cdn.example/%41%49za-b_c",
            "https://cdn.example/?next=https%3A%2F%2Fa.example%2F%3Fkey%3DAIza%252Db%255Fc",
            "https://cdn.example/?half=%&key=AIza%2Db_c", "https://cdn.example/#AIza-b%5Fc",
        ])
    func encodedLeak(secret: String, target: String) throws {
        var chain = try chain(secret: secret)
        #expect(chain.follow(target) == .failure(.leaksCredential))
        let other = try chain.follow("https://cdn.example/?key=AIza-b").get()
        #expect(other.trust == .foreign)
    }

    @Test("plain http is allowed only for the configured origin")
    func insecure() throws {
        var secure = try chain()
        #expect(secure.follow("http://api.example/v2") == .failure(.insecure))
        var emulator = try chain("http://127.0.0.1:9000")
        let own = try emulator.follow("http://127.0.0.1:9000/x").get()
        #expect(own.trust == .configured)
        #expect(emulator.follow("http://127.0.0.1:9001/x") == .failure(.insecure))
    }

    @Test(
        "with a list of hosts, redirects may lead only to listed hosts, subdomains of listed domains and the configured origin"
    )
    func hosts() throws {
        let listed = RedirectHosts.only(names: ["cdn.example"], domains: ["us.archive.example"])
        func follow(_ target: String) throws -> Result<RedirectChain.Hop, RedirectRefusal> {
            var chain = RedirectChain(
                base: try #require(Origin(url: "http://127.0.0.1:9000")), secret: nil, hosts: listed)
            return chain.follow(target)
        }
        for target in ["https://cdn.example/1", "https://CDN.example/1", "https://ia8.us.archive.example/1"] {
            #expect(try follow(target).get().trust == .foreign)
        }
        #expect(try follow("http://127.0.0.1:9000/2").get().trust == .configured)
        for target in [
            "https://other.example/", "https://a.cdn.example/", "https://us.archive.example/",
            "https://evilus.archive.example/", "https://cdn.example.evil.example/",
        ] {
            #expect(try follow(target) == .failure(.foreignHost), "\(target)")
        }
        #expect(try follow("http://cdn.example/") == .failure(.insecure))
    }

    @Test("at most three redirects are followed, and malformed targets and other schemes are refused")
    func bounds() throws {
        var three = try chain()
        for _ in 0..<3 { _ = try three.follow("https://api.example/").get() }
        #expect(three.follow("https://api.example/") == .failure(.tooMany))
        var strange = try chain()
        for target in ["file:///etc/passwd", "gopher://a/", "//", "https://user@api.example/"] {
            #expect(strange.follow(target) == .failure(.malformed))
        }
    }
}
