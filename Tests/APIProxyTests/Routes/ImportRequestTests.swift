import BookstrackContract
import Testing

@testable import APIProxy

@Suite("Import options") struct ImportRequestTests {
    private func refusal(_ fields: [String: String]) -> APIFailure? {
        do {
            _ = try ImportRequest(fields)
            return nil
        } catch {
            return error as? APIFailure
        }
    }

    @Test(
        "an import without options passes on an empty object, and its job has a new identifier",
        arguments: [
            [:], ["jobId": "", "mapping": "", "format": "", "enrich": "", "ai": ""],
        ])
    func none(fields: [String: String]) throws {
        let request = try ImportRequest(fields)
        #expect(request.options == "{}")
        #expect(!request.enrich)
        #expect(request.jobId.isRandomUUID)
    }

    @Test(
        "options are passed on as JSON",
        arguments: [
            (["format": "goodreads"], #"{"format":"goodreads"}"#), (["ai": "false"], #"{"ai":false}"#),
            (["ai": "true"], #"{"ai":true}"#),
            (["mapping": #"{"Naam":"title","3":"isbn"}"#], #"{"mapping":{"3":"isbn","Naam":"title"}}"#),
            (["mapping": #"{"Naam":null}"#], #"{"mapping":{}}"#),
            (["mapping": #"{"a":1,"a":"x","a":"isbn","b":"title","b":null}"#], #"{"mapping":{"a":"isbn"}}"#),
        ])
    func options(fields: [String: String], json: String) throws {
        #expect(try ImportRequest(fields).options == json)
    }

    @Test("enrichment is requested by the value true", arguments: [("true", true), ("false", false)])
    func enrich(text: String, enrich: Bool) throws {
        #expect(try ImportRequest(["enrich": text]).enrich == enrich)
    }

    @Test(
        "a refusal names the invalid option",
        arguments: [
            (["enrich": "yes"], "enrich", "enrich must be true or false."),
            (["ai": "TRUE"], "ai", "ai must be true or false."),
            (["format": "excel"], "format", "format must be one of "),
            (["jobId": "short"], "jobId", "jobId must be 8 to 64 characters from A-Z a-z 0-9 _ -."),
            (["mapping": "[]"], "mapping", "mapping must be a JSON object."),
            (["mapping": "{"], "mapping", "mapping is not JSON: "),
            (["mapping": #"{"a":1}"#], "mapping.a", "mapping.a must be a string."),
        ])
    func refused(fields: [String: String], field: String, message: String) {
        let refusal = refusal(fields)
        #expect(refusal?.code == .invalidRequest)
        #expect(refusal?.details?["field"] == .text(field))
        #expect(refusal?.message.hasPrefix(message) == true)
    }

    @Test(
        "unknown roles and duplicate roles are reported with their columns, in order",
        arguments: [
            (#"{"b":"tittel","a":"forfatter","c":"title"}"#, ["a", "b"], "mapping has an unknown role."),
            (
                #"{"x":"title","a":"title","b":"isbn"}"#, ["a", "x"],
                "mapping assigns several columns a role that only one column may have."
            ),
        ])
    func columns(mapping: String, columns: [String], message: String) {
        let refusal = refusal(["mapping": mapping])
        #expect(refusal?.message == message)
        #expect(refusal?.details == ["field": "mapping", "columns": .list(columns)])
    }

    @Test(
        "a mapping may have up to 512 columns with headers of up to 1 000 characters",
        arguments: [
            (512, 5, true), (513, 5, false), (1, 1_000, true), (1, 1_001, false),
        ])
    func limits(columns: Int, length: Int, isRead: Bool) {
        let members = (0..<columns).map { number in
            "\"\(String(repeating: "x", count: max(length - 5, 0)))\(10_000 + number)\":\"ignore\""
        }
        #expect((refusal(["mapping": "{\(members.joined(separator: ","))}"]) == nil) == isRead)
    }
}
