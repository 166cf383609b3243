import ServiceKit
import Testing

@Suite("Address blocks")
struct AddressBlockTests {
    @Test(
        "an address block or a single address is parsed, and any other string is rejected",
        arguments: [
            ("10.0.0.0/8", true), ("192.0.2.7", true), ("2001:db8::/33", true), ("10.0.0.0/33", false), ("x/8", false),
            ("10.0.0.0/", false), ("10.0.0.0/-1", false), ("", false),
        ])
    func blocks(_ text: String, _ isBlock: Bool) {
        #expect((AddressBlock(text) != nil) == isBlock)
        #expect(AddressBlock(text).map { "\($0)" } == (isBlock ? text : nil))
    }

    @Test("a block contains the addresses that share its prefix")
    func blockBits() throws {
        let block = try #require(AddressBlock("10.16.0.0/12"))
        #expect(block.contains(try #require(IPAddress("10.31.255.255"))))
        #expect(!block.contains(try #require(IPAddress("10.32.0.0"))))
        #expect(!block.contains(try #require(IPAddress("::1"))))
    }
}
