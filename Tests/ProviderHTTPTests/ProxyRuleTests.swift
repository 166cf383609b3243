import TestSupport
import Testing

@testable import ProviderHTTP

@Suite("Which requests go through the proxy")
struct ProxyRuleTests {
    private static let proxy = "http://proxy.example:3128"

    @Test(
        "hosts, domains, ports, addresses and networks can be excepted",
        arguments: [
            ("https://openlibrary.org/", nil, true), ("http://openlibrary.org/", nil, false),
            ("https://openlibrary.org/", "*", false),
            ("https://openlibrary.org/", "example.org, openlibrary.org", false),
            ("https://covers.openlibrary.org/", ".openlibrary.org", false),
            ("https://covers.openlibrary.org/", "openlibrary.org", false),
            ("https://notopenlibrary.org/", "openlibrary.org", true),
            ("https://openlibrary.org:8443/", "openlibrary.org:443", true),
            ("https://openlibrary.org/", "OpenLibrary.org:443", false),
            ("https://10.1.2.3/", "10.0.0.0/8", false), ("https://11.1.2.3/", "10.0.0.0/8", true),
            ("https://[fd00::1]/", "fd00::/8 10.0.0.0/8", false), ("https://[2001:db8::1]/", "[2001:db8::1]", false),
            ("https://openlibrary.org/", "10.0.0.0/99,/,:,", true),
        ] as [(String, String?, Bool)])
    func exceptions(url: String, except: String?, isProxied: Bool) throws {
        let rule = ProxyRule(proxy: Self.proxy, except: except)
        let target = try #require(Origin(url: url))
        #expect(rule.proxy(for: target) == (isProxied ? Self.proxy : nil))
    }

    @Test("any further exception takes requests from the proxy, none gives it one")
    func exceptionsOnlyExcept() throws {
        let pieces = [
            "*", "openlibrary.org", ".org", "org", "10.0.0.0/8", "0.0.0.0/0", "::/0", "fd00::/8", "[fd00::1]", "[", "]",
            "/", "//", ":",
            "::", ":443", "/33", "/-1", "/129", ".", "..", "10.1.2", "1.2.3.4.5", "0x7f.1",
        ]
        let targets = try [
            "https://openlibrary.org/", "http://openlibrary.org/", "https://10.1.2.3/", "https://[fd00::1]:8443/",
            "https://org/",
        ].map { try #require(Origin(url: $0)) }
        var random = SeededGenerator(seed: 8)
        for _ in 0..<RandomText.inputs {
            let few = RandomText.text(of: pieces, using: &random)
            let more = RandomText.text(of: pieces, using: &random)
            let (rule, wider) = (
                ProxyRule(proxy: Self.proxy, except: few), ProxyRule(proxy: Self.proxy, except: "\(more),\(few)")
            )
            for target in targets {
                let isProxied = rule.proxy(for: target) != nil
                #expect(!isProxied || target.scheme == "https", "\(few.debugDescription)")
                #expect(
                    isProxied || wider.proxy(for: target) == nil, "\(few.debugDescription) and \(more.debugDescription)"
                )
            }
            let own = ProxyRule(proxy: Self.proxy, except: "\(few) openlibrary.org")
            #expect(own.proxy(for: targets[0]) == nil, "\(few.debugDescription)")
        }
    }

    @Test("without a proxy nothing is proxied")
    func direct() throws {
        let target = try #require(Origin(url: "https://openlibrary.org/"))
        #expect(ProxyRule.direct.proxy(for: target) == nil)
    }

    @Test(
        "names and addresses that lead into a private network are known as such",
        arguments: [
            ("https://ia800100.us.archive.org/", true), ("https://8.8.8.8/", true), ("https://10.0.0.1/", false),
            ("https://2130706433/", false), ("https://0x7f.1/", false), ("https://[::1]/", false),
            ("https://localhost/", false),
            ("https://intranet/", false), ("https://db.internal/", false), ("https://printer.local/", false),
        ])
    func privateHosts(url: String, isPublic: Bool) throws {
        let target = try #require(Origin(url: url))
        #expect(target.namesPublicHost == isPublic)
    }
}
