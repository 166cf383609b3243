import ServiceKit
import Testing

/// The hosts to which webhooks may be sent (jobs.md "Webhooks").
@Suite("Webhook hosts")
struct WebhookHostsTests {
    private func refusal(_ url: String, _ hosts: String...) -> WebhookRefusal? {
        do throws(WebhookRefusal) {
            _ = try WebhookHosts(hosts).target(url)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a listed host may be called over https",
        arguments: [
            "https://hooks.example.org", "https://hooks.example.org/a?b=c", "HTTPS://Hooks.Example.org:8443/",
            "https://hooks.example.org./",
        ])
    func listed(url: String) throws {
        let target = try WebhookHosts(["other.example.org", "hooks.example.org"]).target(url)
        #expect(target.host.text == "hooks.example.org")
        #expect(target.isSecure)
        #expect(!target.mayBePrivate)
    }

    @Test(
        "a host listed with its port may be private, and may be called only on that port",
        arguments: ["127.0.0.1:8080", "[::1]:8080", "localhost:8080"])
    func exact(entry: String) throws {
        let target = try WebhookHosts([entry]).target("http://\(entry)/x")
        #expect(target.port == 8_080)
        #expect(!target.isSecure)
        #expect(target.mayBePrivate)
        #expect(refusal("http://\(entry.dropLast())1/x", entry) == .notListed)
    }

    @Test(
        "hosts that are not listed are refused",
        arguments: [
            "https://example.org/", "https://a.hooks.example.org/", "https://hooks.example.org.evil.example/",
            "https://127.0.0.1/", "https://[::ffff:127.0.0.1]/", "https://2130706433/",
        ])
    func notListed(url: String) { #expect(refusal(url, "hooks.example.org", "127.0.0.1:8080") == .notListed) }

    @Test("http is refused for a host listed without a port")
    func insecure() { #expect(refusal("http://hooks.example.org/", "hooks.example.org") == .insecure) }

    @Test(
        "anything other than an absolute URL without a user or a fragment is malformed",
        arguments: [
            "", "hooks.example.org", "//hooks.example.org/", "ftp://hooks.example.org/", "file:///etc/passwd",
            "https://", "https://user@hooks.example.org/", "https://hooks.example.org/#x",
            "https://hooks.example.org\\@x/",
            "https://hooks.example.org:0x50/", "https://hooks.example.org:99999/", "https://hooks.example.org /",
            "https://hooks.example.org/\r\nX: y", "https://hööks.example.org/",
            "https://hooks.example.org/" + String(repeating: "a", count: 2_048),
        ])
    func malformed(url: String) { #expect(refusal(url, "hooks.example.org") == .malformed) }

    @Test("if no hosts are listed, every URL is refused")
    func none() { #expect(refusal("https://hooks.example.org/") == .notListed) }
}
