import BookstrackContract
import NIOHTTP1
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Selecting the jobs of a connection") struct JobSelectionTests {
    private func head(_ query: String, lastEventID: String? = nil) -> HTTPRequestHead {
        HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/v1/events?\(query)",
            headers: lastEventID.map { ["Last-Event-ID": $0] } ?? [:])
    }

    private func jobs(_ query: String, lastEventID: String? = nil) throws(APIFailure) -> [JobSelection.Job] {
        try JobSelection(query: head(query, lastEventID: lastEventID)).jobs
    }

    private func jobs(body: String, lastEventID: String? = nil) throws(APIFailure) -> [JobSelection.Job] {
        try JobSelection(body: Array(body.utf8), head("", lastEventID: lastEventID)).jobs
    }

    private func refusal(_ read: () throws(APIFailure) -> [JobSelection.Job]) -> APIFailure? {
        do {
            _ = try read()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "each item is a job identifier, which may be followed by a colon and a token",
        arguments: [
            ("job=job-aaaa:tok", "job-aaaa", "tok"), ("job=job-aaaa", "job-aaaa", nil),
            ("job=job-aaaa:", "job-aaaa", ""),
            ("job=job-aaaa:a:b", "job-aaaa", "a:b"), ("job=job-aaaa%3Atok", "job-aaaa", "tok"),
        ] as [(String, String, String?)])
    func items(query: String, jobId: String, token: String?) throws {
        let jobs = try jobs(query)
        #expect(jobs.map(\.jobId.text) == [jobId])
        #expect(jobs.first?.token == token)
    }

    @Test("jobs keep the order of the request")
    func order() throws {
        #expect(try jobs("job=job-bbbb:2&x=1&job=job-aaaa:1").map(\.jobId.text) == ["job-bbbb", "job-aaaa"])
    }

    @Test(
        "an item that cannot be parsed is refused with the rule that it violates",
        arguments: [
            ("", "job", "job must list 1 to 20 jobs, each as ID:TOKEN."),
            ("job=", "job", "job must be 4 to 64 characters from A-Z a-z 0-9 _ -."),
            ("job=job-aaaa:1&job=job-aaaa:2", "job", "job must list each job only once."),
            ("job=job-aaaa:1&since=job-aaaa", "since", "since must be a comma-separated list of ID=SEQ."),
            ("job=job-aaaa:1&since=job-aaaa=-1", "since", "since must be a comma-separated list of ID=SEQ."),
            ("job=job-aaaa:1&since=job-aaaa=1=2", "since", "since must be a comma-separated list of ID=SEQ."),
            ("job=job-aaaa:1&follow=x", "follow", "follow must be results."),
        ])
    func refused(query: String, field: String, message: String) {
        let refusal = refusal { () throws(APIFailure) in try jobs(query) }
        #expect(refusal?.code == .invalidRequest)
        #expect(refusal?.details == ["field": .text(field)])
        #expect(refusal?.message == message)
    }

    @Test("a query may list at most twenty jobs", arguments: [(20, true), (21, false)])
    func tooMany(count: Int, isRead: Bool) {
        let query = (0..<count).map { "job=job-\(1_000 + $0):t" }.joined(separator: "&")
        #expect((refusal { () throws(APIFailure) in try jobs(query) } == nil) == isRead)
    }

    @Test("a request target that lists jobs may have at most 8 KiB")
    func longTarget() {
        let query = "job=job-aaaa:" + String(repeating: "t", count: 8 << 10)
        #expect(
            refusal { () throws(APIFailure) in try jobs(query) }?.message
                == "job must not make the request target longer than 8192 bytes.")
    }

    @Test(
        "a reconnecting client's Last-Event-ID replaces the positions in the query, unless it is empty",
        arguments: [
            ("&since=job-aaaa=3,job-bbbb=4", nil, [3, 4]), ("&since=job-aaaa=3", "job-aaaa=7", [7, nil]),
            ("", "job-bbbb=2,job-gone=9", [nil, 2]), ("&since=job-bbbb=4", "", [nil, 4]), ("", nil, [nil, nil]),
        ] as [(String, String?, [Int?])])
    func places(query: String, field: String?, since: [Int?]) throws {
        #expect(try jobs("job=job-aaaa:1&job=job-bbbb:2\(query)", lastEventID: field).map(\.since) == since)
    }

    @Test(
        "a request body lists jobs with tokens and positions",
        arguments: [
            (#"{"jobs":[{"jobId":"job-aaaa","token":"t","since":3}]}"#, "t", 3),
            (#"{"jobs":[{"jobId":"job-aaaa","token":null,"since":null,"more":[1]}]}"#, nil, nil),
            (#"{"other":{},"jobs":[{"jobId":"job-aaaa"}]}"#, nil, nil),
        ] as [(String, String?, Int?)])
    func bodies(body: String, token: String?, since: Int?) throws {
        let jobs = try jobs(body: body)
        #expect(jobs.map(\.jobId.text) == ["job-aaaa"])
        #expect(jobs.first?.token == token)
        #expect(jobs.first?.since == since)
    }

    @Test(
        "an invalid body is refused with the name of the invalid field",
        arguments: [
            ("{}", "jobs", "jobs is missing."), (#"{"jobs":{}}"#, "jobs", "jobs must be a list."),
            (#"{"jobs":[]}"#, "jobs", "jobs must contain at least one job."),
            (#"{"jobs":[1]}"#, "jobs[0]", "jobs[0] must be an object."),
            (#"{"jobs":[{"token":"t"}]}"#, "jobs[0].jobId", "jobs[0].jobId is missing."),
            (
                #"{"jobs":[{"jobId":"job-aaaa"},{"jobId":"job-aaaa"}]}"#, "jobs[1].jobId",
                "jobs[1].jobId is listed twice."
            ),
            (
                #"{"jobs":[{"jobId":"job-aaaa","since":-1}]}"#, "jobs[0].since",
                "jobs[0].since must be a whole number of 0 or more."
            ),
            (
                #"{"jobs":[{"jobId":"job-aaaa","since":"1"}]}"#, "jobs[0].since",
                "jobs[0].since must be a whole number of 0 or more."
            ),
            (#"{"jobs":[{"jobId":"job-aaaa","token":7}]}"#, "jobs[0].token", "jobs[0].token must be a string."),
        ])
    func refusedBodies(body: String, field: String, message: String) {
        let refusal = refusal { () throws(APIFailure) in try jobs(body: body) }
        #expect(refusal?.details == ["field": .text(field)])
        #expect(refusal?.message == message)
    }

    @Test(
        "a body may list at most a hundred jobs",
        arguments: [(100, nil), (101, "jobs must contain at most 100 jobs.")] as [(Int, String?)])
    func tooManyInBody(count: Int, message: String?) {
        let list = (0..<count).map { #"{"jobId":"job-\#(1_000 + $0)"}"# }.joined(separator: ",")
        #expect(refusal { () throws(APIFailure) in try jobs(body: "{\"jobs\":[\(list)]}") }?.message == message)
    }

    @Test("a position contains only the jobs that have a sequence number, in the format that clients send back")
    func position() throws {
        let jobs: [(jobId: JobID, seq: Int?)] = [
            (try job("job-aaaa"), 3), (try job("job-bbbb"), nil), (try job("job-cccc"), 0),
        ]
        #expect(JobSelection.position(jobs) == "job-aaaa=3,job-cccc=0")
    }

    @Test("a missing token is passed on as an empty one")
    func withoutToken() throws {
        let request = try #require(try jobs("job=job-aaaa").first).socketRequest
        #expect(request.token == "")
        #expect(request.isOneWay == true)
    }
}

@Suite("Messages on a multi-job WebSocket") struct JobsMessageTests {
    @Test(
        "a message about one job is recognized by the job's identifier, and a message without a valid one is ignored",
        arguments: [
            (#"{"type":"cancel","jobId":"job-aaaa"}"#, "job-aaaa"),
            (#"{"type":"sync_request","jobId":"job-aaaa"}"#, "job-aaaa"),
            (#"{"type":"ack","seq":3,"jobId":"job-aaaa"}"#, "job-aaaa"), (#"{"type":"cancel"}"#, nil),
            (#"{"type":"cancel","jobId":"x y"}"#, nil), (#"{"type":"cancel","jobId":7}"#, nil),
            (#"{"type":"cancel","jobId":7,"jobId":"job-aaaa"}"#, "job-aaaa"),
            (#"{"type":"cancel","jobId":"job-aaaa","jobId":7}"#, nil), (#"{"type":"dance"}"#, nil),
            ("PING", nil), (#"{"action":"getJobStatus2"}"#, nil),
        ] as [(String, String?)])
    func concerning(text: String, jobId: String?) throws {
        let expected = try jobId.map { JobsMessage.concerning(try job($0)) } ?? .unknown
        #expect(try JobsMessage(text) == expected)
    }

    @Test(
        "a ping may contain the client's time",
        arguments: [
            (#"{"type":"ping"}"#, nil), (#"{"type":"ping","payload":{"clientTime":42}}"#, 42),
        ] as [(String, Int64?)])
    func pings(text: String, clientTime: Int64?) throws {
        #expect(try JobsMessage(text) == .ping(clientTime: clientTime))
    }

    @Test("lists of jobs to watch and to unwatch are parsed in the same way")
    func lists() throws {
        let jobs = [JobSelection.Job(jobId: try job("job-aaaa"), token: "t", since: 2)]
        let list = #""jobs":[{"jobId":"job-aaaa","token":"t","since":2}]}"#
        #expect(try JobsMessage(#"{"type":"watch",\#(list)"#) == .watch(.success(jobs)))
        #expect(try JobsMessage(#"{"type":"unwatch",\#(list)"#) == .unwatch(.success(jobs)))
    }

    @Test(
        "a list that cannot be parsed is refused with the reason",
        arguments: [
            (#"{"type":"watch"}"#, "jobs is missing."),
            (#"{"type":"watch","jobs":[]}"#, "jobs must contain at least one job."),
            (#"{"type":"unwatch","jobs":7}"#, "jobs must be a list."),
        ])
    func refusedLists(text: String, message: String) throws {
        switch try JobsMessage(text) {
        case .watch(.failure(let failure)), .unwatch(.failure(let failure)): #expect(failure.message == message)
        default: Issue.record("an invalid list was accepted")
        }
    }

    @Test(
        "text that is not a JSON object with a type is malformed",
        arguments: ["", "x", "[]", "3", "{}", #"{"type":1}"#])
    func malformed(text: String) {
        #expect(throws: ClientMessage.Malformation.self) { try JobsMessage(text) }
    }
}
