import NIOHTTP1
import Testing

@testable import ProviderEmulator

@Suite("Wikidata requests")
struct WikidataRequestTests {
    private static let search = "/w/api.php?action=wbsearchentities&format=json&language=en"
    private static let entities = "/w/api.php?action=wbgetentities&format=json"

    private func request(_ target: String) -> WikidataRequest { WikidataRequest(RequestTarget(target)) }

    private func page(_ query: String) -> ResultPage? {
        guard case .search(let search) = request("\(Self.search)&search=x&\(query)") else { return nil }
        return search.page
    }

    private func selection(_ query: String) -> WikidataRequest.Selection? {
        guard case .entities(let selection) = request("\(Self.entities)&\(query)") else { return nil }
        return selection
    }

    @Test(
        "a search has seven results unless the request sets another number, up to fifty",
        arguments: [
            ("", 0, 7), ("limit=50", 0, 50), ("limit=500", 0, 50), ("limit=0", 0, 1), ("limit=max", 0, 7),
            ("continue=7", 7, 7), ("continue=-1", 0, 7), ("continue=7&limit=3", 7, 3),
        ])
    func pages(query: String, offset: Int, limit: Int) {
        #expect(page(query) == ResultPage(offset: offset, limit: limit))
    }

    @Test(
        "names in other languages are also searched, unless the language is strict",
        arguments: [
            ("", false), ("&strictlanguage=1", true), ("&strictlanguage=true", true), ("&strictlanguage=0", false),
            ("&strictlanguage=false", false), ("&strictlanguage=", false),
        ])
    func strict(query: String, isStrict: Bool) {
        guard case .search(let search) = request("\(Self.search)&search=x\(query)") else {
            Issue.record("the request was not parsed as a search")
            return
        }
        #expect(search.isStrict == isStrict)
    }

    @Test(
        "each item is requested once, in the order of the request and in uppercase",
        arguments: [
            ("ids=Q42", ["Q42"]), ("ids=q7|Q42|q42|P31", ["Q7", "Q42", "P31"]),
        ])
    func ids(query: String, ids: [String]) {
        #expect(selection(query)?.ids == ids)
    }

    @Test("a repeated item counts once toward the limit of fifty")
    func repeated() {
        let ids = (Array(1...50) + Array(1...50)).map { "Q\($0)" }.joined(separator: "|")
        #expect(selection("ids=\(ids)")?.ids.count == 50)
    }

    @Test("props and languages are lists separated by vertical bars, and without them everything is returned")
    func parts() throws {
        #expect(selection("ids=Q1&props=labels|claims&languages=en|de")?.parts == ["labels", "claims"])
        #expect(selection("ids=Q1&props=labels&languages=en|de")?.languages == ["en", "de"])
        let everything = try #require(selection("ids=Q1"))
        #expect(everything.parts == nil)
        #expect(everything.languages == nil)
    }

    @Test(
        "an invalid request is refused with its reason",
        arguments: [
            (search, WikidataError.missing("search")), ("\(search)&search=", .missing("search")),
            ("/w/api.php?action=wbsearchentities&format=json&search=x", .missing("language")),
            (entities, .missing("ids")), ("\(entities)&ids=", .missing("ids")),
            ("\(entities)&ids=Q0", .noSuchEntity("Q0")), ("\(entities)&ids=Q1|X2", .noSuchEntity("X2")),
            ("\(entities)&ids=42", .noSuchEntity("42")), ("/w/api.php?format=json", .unknownAction("")),
            ("/w/api.php?format=json&action=query", .unknownAction("query")),
        ])
    func refusals(target: String, error: WikidataError) {
        #expect(request(target) == .refused(error))
    }

    @Test(
        "a request to another path is unknown, and a request for another format returns the HTML page",
        arguments: [
            ("/w/index.php?format=json", WikidataRequest.unknown), ("/wiki/Q42", .unknown),
            ("/w/api.php?action=wbgetentities&ids=Q42", .page),
            ("/w/api.php?action=wbgetentities&ids=Q42&format=xml", .page),
        ])
    func others(target: String, expected: WikidataRequest) {
        #expect(request(target) == expected)
    }

    @Test(
        "an error has status 200 with a code, a message and a header",
        arguments: [
            (WikidataError.missing("ids"), "missingparam", #"The "ids" parameter must be set."#),
            (.noSuchEntity("Qx"), "no-such-entity", #"Could not find an entity with the ID "Qx"."#),
            (.unknownAction("sing"), "badvalue", #"Unrecognized value for parameter "action": sing."#),
            (
                .tooMany("ids", limit: 50), "toomanyvalues",
                #"Too many values supplied for parameter "ids". The limit is 50."#
            ),
        ])
    func answers(error: WikidataError, code: String, text: String) throws {
        let answer = error.answer
        #expect(answer.status == .ok)
        #expect(answer.header("MediaWiki-API-Error") == code)
        #expect(try answer.json["error"]?["code"]?.text == code)
        #expect(try answer.json["error"]?["info"]?.text == text)
        #expect(try answer.json["servedby"] == "emulator")
    }

    @Test(
        "the error for too many values states the limits for ordinary clients and for bots",
        arguments: [
            ("limit", 50), ("lowlimit", 50), ("highlimit", 500),
        ])
    func limits(member: String, value: Int) throws {
        let error = try WikidataError.tooMany("ids", limit: 50).answer.json["error"]
        #expect(error?[member]?.integer == value)
    }

    @Test(
        "a client with no contact information is refused before its request is parsed",
        arguments: [
            ("", 403), ("python-requests/2.31", 403), ("Tool/1.0 (https://example.org)", 200),
            ("Tool/1.0 (User:Example)", 200), ("Tool/1.0 (me@example.org)", 200),
        ])
    func contact(agent: String, status: UInt) throws {
        let answer = try InProcessEmulator().answer(
            .GET, "/wikidata\(Self.entities)&ids=Q42", headers: ["User-Agent": agent])
        #expect(answer.status.code == status)
    }
}
