import BookIdentifiers
import Foundation
import Testing

@testable import ProviderEmulator

@Suite("Fault rules")
struct FaultRuleTests {
    private func rule(_ text: String) throws -> FaultRule {
        try JSONDecoder().decode(FaultRule.self, from: Data(text.utf8))
    }

    @Test(
        "each kind of rule is parsed with its members",
        arguments: [
            (#"{"kind":"slow","milliseconds":300}"#, Fault.slow(.milliseconds(300))),
            (#"{"kind":"status","code":503}"#, .status(503, retryAfter: nil)),
            (#"{"kind":"status","code":429,"retryAfter":7}"#, .status(429, retryAfter: 7)),
            (#"{"kind":"quota"}"#, .quota(status: 429)), (#"{"kind":"quota","code":403}"#, .quota(status: 403)),
            (#"{"kind":"redirect","location":"http://a/"}"#, .redirect(location: "http://a/")),
            (#"{"kind":"garbage"}"#, .garbage), (#"{"kind":"reset"}"#, .reset), (#"{"kind":"hang"}"#, .hang),
            (#"{"kind":"stall"}"#, .stall), (#"{"kind":"truncate"}"#, .truncate),
            (#"{"kind":"huge"}"#, .huge(bytes: 20_971_520)),
            (#"{"kind":"huge","megabytes":1}"#, .huge(bytes: 1_048_576)),
            (#"{"kind":"wrongBook"}"#, .wrongBook), (#"{"kind":"missing"}"#, .missing),
            (#"{"kind":"unknownLocation"}"#, .unknownLocation), (#"{"kind":"invalidKey"}"#, .invalidKey),
            (#"{"kind":"tooManyValues"}"#, .tooManyValues), (#"{"kind":"crowded"}"#, .crowded(limit: 3)),
            (#"{"kind":"crowded","limit":1}"#, .crowded(limit: 1)), (#"{"kind":"unservedRegion"}"#, .unservedRegion),
            (#"{"kind":"answers","text":"x"}"#, .engine(.answers("x"))),
            (#"{"kind":"finish","reason":"SAFETY"}"#, .engine(.finish(reason: "SAFETY"))),
            (#"{"kind":"blocked","reason":"OTHER"}"#, .engine(.blocked(reason: "OTHER"))),
            (#"{"kind":"empty"}"#, .engine(.empty)),
        ])
    func kinds(text: String, fault: Fault) throws {
        #expect(try rule(text).fault == fault)
    }

    @Test(
        "a rule that lacks a member required by its kind, or has an invalid one, is rejected",
        arguments: [
            "{}", #"{"kind":"slow"}"#, #"{"kind":"status"}"#, #"{"kind":"redirect"}"#, #"{"kind":"answers"}"#,
            #"{"kind":"finish"}"#, #"{"kind":"blocked"}"#, #"{"kind":"slow","milliseconds":"300"}"#,
            #"{"kind":"Reset"}"#, #"{"kind":"reset","provider":"amazon"}"#, #"{"kind":"reset","isbn":"123"}"#,
            #"{"kind":"reset","times":"twice"}"#, #"{"kind":"reset","probability":"often"}"#,
        ])
    func refused(text: String) {
        #expect(throws: DecodingError.self) { try rule(text) }
    }

    @Test(
        "a response can be padded by 1 to 1024 megabytes",
        arguments: [(0, false), (1, true), (1024, true), (1025, false)])
    func megabytes(count: Int, isAllowed: Bool) {
        let rule = try? rule(#"{"kind":"huge","megabytes":\#(count)}"#)
        #expect((rule != nil) == isAllowed)
    }

    @Test(
        "a simulated status is from 200 to 599",
        arguments: [(-1, false), (199, false), (200, true), (599, true), (600, false)])
    func codes(code: Int, isAllowed: Bool) {
        for kind in ["status", "quota"] {
            let rule = try? rule(#"{"kind":"\#(kind)","code":\#(code)}"#)
            #expect((rule != nil) == isAllowed, "\(kind)")
        }
    }

    @Test("a rule with no conditions applies to every request, any number of times and with certainty")
    func defaults() throws {
        let rule = try rule(#"{"kind":"reset"}"#)
        #expect(rule.provider == nil)
        #expect(rule.key == nil)
        #expect(rule.path == nil)
        #expect(rule.times == nil)
        #expect(rule.probability == 1)
    }

    @Test("the documented example is parsed as documented")
    func documented() throws {
        let rule = try rule(
            #"{"provider":"openlibrary","isbn":"9780441172719","path":"search.json","kind":"slow","milliseconds":300,"#
                + #""times":2,"probability":0.5}"#)
        #expect(rule.provider == .openLibrary)
        #expect(rule.key?.text == "9780441172719")
        #expect(rule.path == "search.json")
        #expect(rule.fault == .slow(.milliseconds(300)))
        #expect(rule.times == 2)
        #expect(rule.probability == 0.5)
    }

    @Test(
        "a rule can select a person, an item or a cover instead of a book, and names are compared ignoring case and accents",
        arguments: [
            (#"{"kind":"reset","author":"Gabriel García Márquez"}"#, AskedKey.author("gabriel garcia marquez")),
            (#"{"kind":"reset","entity":"Q42"}"#, .entity("Q42")),
            (#"{"kind":"reset","cover":"240727"}"#, .cover("240727")),
        ])
    func keys(text: String, key: AskedKey) throws {
        #expect(try rule(text).key == key)
    }

    @Test("an ISBN-10 in a rule is the same key as its ISBN-13")
    func shortISBN() throws {
        #expect(try rule(#"{"kind":"reset","isbn":"0441172717"}"#).key?.text == "9780441172719")
    }

    @Test("a kind of fault has the same name in rules and in the log")
    func names() throws {
        let members = #","milliseconds":1,"code":429,"location":"/","text":"t","reason":"r","megabytes":1}"#
        for kind in Fault.Kind.allCases {
            #expect(try rule(#"{"kind":"\#(kind.rawValue)"\#(members)"#).fault.kind == kind)
        }
    }
}
