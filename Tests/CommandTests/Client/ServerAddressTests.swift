import ProgressClient
import Testing

@Suite("Addresses of a server")
struct ServerAddressTests {
    @Test(
        "host, port and base path are taken apart",
        arguments: [
            ("http://127.0.0.1:8787", ServerAddress(host: "127.0.0.1", port: 8787)),
            ("http://books.example/", ServerAddress(host: "books.example", port: 80)),
            ("http://[::1]:9/api/", ServerAddress(host: "::1", port: 9, basePath: "/api")),
        ])
    func parsed(text: String, address: ServerAddress) throws {
        #expect(try ServerAddress(text) == address)
    }

    @Test(
        "anything but a plain http address is refused",
        arguments: [
            "", "127.0.0.1:8787", "https://a.example", "ws://a.example", "http://", "http://u:p@a.example",
            "http://a?x=1",
        ])
    func refused(text: String) {
        #expect(throws: ClientFailure.unsupportedAddress(text)) { try ServerAddress(text) }
    }
}
