import HTTPTypes
import NIOCore
import NIOHTTP1
import ServiceKit
import Testing

@testable import APIProxy

@Suite("Addresses of clients and proxies") struct TrustedProxyTests {
    private func proxies(_ blocks: String...) throws -> TrustedProxies {
        TrustedProxies(blocks: try blocks.map { try #require(AddressBlock($0)) })
    }

    private func peer(_ address: String) throws -> SocketAddress { try SocketAddress(ipAddress: address, port: 1) }

    @Test(
        "behind a trusted proxy, the client is the rightmost forwarded address that is not itself a trusted proxy",
        arguments: [
            ("10.0.0.1", "203.0.113.9", "203.0.113.9"), ("10.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"),
            ("10.0.0.1", "203.0.113.9, 10.9.9.9", "203.0.113.9"),
            ("10.0.0.1", "203.0.113.9,10.2.2.2 , 10.1.1.1", "203.0.113.9"),
            ("10.0.0.1", "10.3.3.3", "10.3.3.3"), ("10.0.0.1", "2001:db8::1", "2001:db8::1"),
            ("10.0.0.1", "spoofed, 203.0.113.9", "203.0.113.9"), ("10.0.0.1", "203.0.113.9, junk", "10.0.0.1"),
            ("10.0.0.1", "", "10.0.0.1"), ("203.0.113.7", "192.0.2.1", "203.0.113.7"),
            ("10.0.0.1", "203.0.113.9, junk, 10.1.1.1", "10.1.1.1"),
        ])
    func client(peer: String, forwarded: String, client: String) throws {
        let proxies = try proxies("10.0.0.0/8")
        let (address, expected) = (try self.peer(peer), try #require(ClientAddress(client)))
        #expect(proxies.clientAddress(peer: address, fields: [.known("X-Forwarded-For"): forwarded]) == expected)
        let headers: HTTPHeaders = ["X-Forwarded-For": forwarded]
        #expect(proxies.clientAddress(peer: address, headers: headers) == expected)
    }

    @Test("several X-Forwarded-For fields are read as one list")
    func repeated() throws {
        let proxies = try proxies("10.0.0.0/8")
        var fields: HTTPFields = [:]
        fields.append(HTTPField(name: .known("X-Forwarded-For"), value: "198.51.100.1"))
        fields.append(HTTPField(name: .known("X-Forwarded-For"), value: "203.0.113.9, 10.1.1.1"))
        #expect(proxies.clientAddress(peer: try peer("10.0.0.1"), fields: fields) == ClientAddress("203.0.113.9"))
    }

    @Test("if there are no trusted proxies, X-Forwarded-For is not read")
    func untrusting() throws {
        let fields: HTTPFields = [.known("X-Forwarded-For"): "203.0.113.9"]
        #expect(TrustedProxies().clientAddress(peer: try peer("10.0.0.1"), fields: fields).text == "10.0.0.1")
    }

    @Test(
        "a proxy may be trusted by its IPv6 network, or by its IPv4 network even if its address is IPv4-mapped",
        arguments: [
            ("2001:db8::5", "2001:db8::/32", true), ("2001:db9::5", "2001:db8::/32", false),
            ("::ffff:10.0.0.1", "10.0.0.0/8", true),
            ("10.0.0.1", "10.0.0.1", true), ("10.0.0.2", "10.0.0.1", false),
        ])
    func networks(peer: String, block: String, isTrusted: Bool) throws {
        #expect(try proxies(block).trusts(try #require(ClientAddress(peer))) == isTrusted)
    }

    @Test("a peer on a Unix socket has no address and is not trusted")
    func unixPeer() throws {
        let client = ClientAddress(try SocketAddress(unixDomainSocketPath: "/tmp/x"))
        #expect(client.text == nil)
        #expect(client.bytes.isEmpty)
        #expect(try !proxies("0.0.0.0/0").trusts(client))
    }

    @Test(
        "the shares of paid budgets are keyed by whole IPv4 addresses and by the first half of IPv6 addresses",
        arguments: [
            ("192.0.2.1", "c0:0:2:1"), ("2001:db8:1:2::9", "20:1:d:b8:0:1:0:2"), ("::1", "0:0:0:0:0:0:0:0"),
        ])
    func shareKeys(address: String, key: String) throws {
        #expect(try #require(ClientAddress(address)).shareKey == key)
    }

    @Test(
        "two addresses are the same client if they are in the same IPv6 /64 or are the same IPv4 address",
        arguments: [
            ("2001:db8::1", "2001:db8::2", true), ("2001:db8::1", "2001:db8:0:1::1", false),
            ("192.0.2.1", "192.0.2.2", false),
            ("::ffff:192.0.2.1", "192.0.2.1", true),
        ])
    func networksOfClients(one: String, other: String, isSame: Bool) throws {
        let networks = (
            ClientNetwork(try #require(ClientAddress(one))), ClientNetwork(try #require(ClientAddress(other)))
        )
        #expect((networks.0 == networks.1) == isSame)
    }

    @Test(
        "text that is not an address does not identify a client",
        arguments: ["", "localhost", "1.2.3", "1.2.3.4:80", "[::1]", "203.0.113.9 "])
    func malformed(text: String) {
        #expect(ClientAddress(text) == nil)
    }
}

@Suite("Listener names") struct HostListTests {
    private func list(_ names: String...) throws -> HostList { HostList(try names.map { try #require(HostName($0)) }) }

    @Test(
        "a listener accepts loopback names, its own names and the address that the client connected to",
        arguments: [
            ("localhost", true), ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("books.example.org", true),
            ("BOOKS.example.org", true), ("192.0.2.7", true), ("192.0.2.8", false), ("evil.example", false),
            ("books.example.org.evil.example", false), ("0.0.0.0", false),
        ])
    func names(host: String, isOwn: Bool) throws {
        let local = try SocketAddress(ipAddress: "192.0.2.7", port: 8787)
        let list = try list("books.example.org", "0.0.0.0")
        #expect(list.contains(try #require(HostName(host)), at: local) == isOwn)
    }

    @Test("if the local address is unknown, the listener's own names are accepted, and non-loopback addresses are not")
    func withoutAddress() throws {
        #expect(try !list("a.example").contains(try #require(HostName("192.0.2.7")), at: nil))
        #expect(try list("a.example").contains(try #require(HostName("a.example")), at: nil))
    }
}

@Suite("Listed origins") struct OriginListTests {
    @Test(
        "a listed origin matches only itself or, if its port is an asterisk, every port of its host",
        arguments: [
            (["https://a.example"], "https://a.example", true), (["https://a.example"], "https://a.example:443", true),
            (["https://a.example"], "https://a.example:8443", false),
            (["https://a.example"], "http://a.example", false),
            (["https://a.example:*"], "https://a.example", true),
            (["https://a.example:*"], "https://a.example:8443", true),
            (["https://a.example:*"], "http://a.example:1", false), (["https://a.example"], "https://A.Example", true),
            (["https://a.example"], "https://b.a.example", false),
            (["capacitor://localhost"], "capacitor://localhost", true),
            (["https://[2001:db8::1]"], "https://[2001:db8::1]", true),
            ([], "https://a.example", false), (["*"], "https://a.example", false),
            (["https://a.example"], "null", false),
        ])
    func entries(entries: [String], origin: String, isAllowed: Bool) {
        #expect(OriginList(entries).allows(origin) == isAllowed)
    }
}
