import BookstrackContract
import Foundation
import JSONRPC
import NIOConcurrencyHelpers
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

/// scans.md "Routes": photos sent as a body, as a form and as JSON, and reading the results and the photos.
@Suite("Scan routes", .timeLimit(.minutes(1)))
struct ScanRouteTests {
    typealias Part = MultipartParserTests.Part

    private static let photo = SampleImage.jpeg.file

    private func begun(_ proxy: RunningProxy) async throws -> BeginScan.Parameters {
        let event = try await proxy.host.events.take(where: { if case .scanBegun = $0 { true } else { false } })
        guard case .scanBegun(let start) = event else { throw RPCError.notConnected }
        return start
    }

    private func stored(_ proxy: RunningProxy, _ job: String, _ index: Int) throws -> [UInt8] {
        Array(try Data(contentsOf: proxy.directory.appending(path: "uploads/\(job)/photo-\(index)")))
    }

    private func images(_ photos: [[UInt8]], jobId: String? = nil, indexes: [Int]? = nil) -> String {
        let list = photos.enumerated().map { number, photo in
            "{\"index\":\(indexes?[number] ?? number),\"data\":\"\(Data(photo).base64EncodedString())\"}"
        }
        let id = jobId.map { "\"jobId\":\"\($0)\"," } ?? ""
        return "{\(id)\"images\":[\(list.joined(separator: ","))]}"
    }

    @Test(
        "a photo may be the whole body on both paths, and the response has its members at the top level and in data",
        arguments: ScanRoutes.photoPaths)
    func body(path: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("POST", path + "?jobId=job-12345", body: Self.photo)
            #expect(answer.status == 202)
            let object = try answer.object
            #expect(object["success"] as? Bool == true)
            for members in [object, object["data"] as? [String: Any] ?? [:]] {
                #expect(members["jobId"] as? String == "job-12345")
                #expect(members["token"] as? String == "tok-1")
                #expect(members["websocketReady"] as? Bool == true)
                #expect((members["stages"] as? [Any])?.count == 3)
                #expect(members["resultsUrl"] as? String == "/v1/scan/results/job-12345")
            }
            #expect((object["metadata"] as? [String: Any])?["timestamp"] is String)
            let start = try await begun(proxy)
            #expect(start.photos == [Self.photo.count])
            #expect(!start.isBatch)
            #expect(!start.isTokenless)
            #expect(try stored(proxy, "job-12345", 0) == Self.photo)
        }
    }

    @Test("in a form, the part with the photo may have any name", arguments: ["photo", "image", "file", "picture"])
    func form(name: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post(
                "/v1/scan",
                form: [
                    Part(name: "jobId", content: Array("job-12345".utf8)),
                    Part(name: name, fileName: "shelf.jpg", content: Self.photo),
                ])
            #expect(answer.status == 202)
            #expect(try await begun(proxy).jobId.text == "job-12345")
            #expect(try stored(proxy, "job-12345", 0) == Self.photo)
        }
    }

    @Test("a form for one photo may have a file field that was left empty, but not two files")
    func files() async throws {
        try await RunningProxy.run { proxy in
            let photo = Part(name: "picture", fileName: "shelf.jpg", content: Self.photo)
            let empty = Part(name: "second", fileName: "", content: [])
            #expect(try await proxy.post("/v1/scan", form: [photo, empty]).status == 202)
            let second = Part(name: "second", fileName: "shelf.jpg", content: Self.photo)
            let answer = try await proxy.post("/v1/scan", form: [photo, second])
            #expect(answer.status == 400)
            #expect(try answer.failure.code == .invalidRequest)
        }
    }

    @Test("a batch of photos may be a form on every path", arguments: ScanRoutes.batchPaths)
    func batch(path: String) async throws {
        try await RunningProxy.run { proxy in
            let photos = [SampleImage.jpeg.file, SampleImage.png.file, SampleImage.heic.file]
            let parts = photos.map { Part(name: "photos[]", fileName: "a", content: $0) }
            let answer = try await proxy.post(
                path, form: parts + [Part(name: "jobId", content: Array("job-12345".utf8))])
            #expect(answer.status == 202)
            #expect(try answer.object["totalPhotos"] as? Int == 3)
            #expect(try answer.object["status"] as? String == "processing")
            let start = try await begun(proxy)
            #expect(start.isBatch)
            #expect(start.photos == photos.map(\.count))
            for (index, photo) in photos.enumerated() { #expect(try stored(proxy, "job-12345", index) == photo) }
        }
    }

    @Test("a batch may be JSON with photos in base64, and its socket needs no token if the job has a version 4 UUID")
    func json() async throws {
        let uuid = "550e8400-e29b-41d4-a716-446655440000"
        try await RunningProxy.run { proxy in
            for (id, isTokenless) in [(uuid, true), ("job-12345", false)] {
                let answer = try await proxy.post(
                    "/api/batch-scan", images([Self.photo, SampleImage.png.file], jobId: id))
                #expect(answer.status == 202)
                let start = try await begun(proxy)
                #expect(start.jobId.text == id)
                #expect(start.isTokenless == isTokenless)
                #expect(try stored(proxy, id, 1) == SampleImage.png.file)
            }
        }
    }

    @Test("if no identifier is given, the job receives a random one")
    func generated() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("POST", "/v1/scan", body: Self.photo)
            let id = try #require(try answer.object["jobId"] as? String)
            #expect(try job(id).isRandomUUID)
        }
    }

    @Test(
        "a photo has the same digest alone and in a batch of one, and a batch's digest depends on the order of its photos"
    )
    func digests() async throws {
        let (one, other) = (SampleImage.jpeg.file, SampleImage.png.file)
        try await RunningProxy.run { proxy in
            var digests: [String] = []
            for photos in [[one], [one, other], [other, one]] {
                _ = try await proxy.post("/v1/scan/batch", images(photos))
                digests.append(try await begun(proxy).sha256)
            }
            _ = try await proxy.request("POST", "/v1/scan", body: one)
            #expect(try await begun(proxy).sha256 == digests[0])
            #expect(Set(digests).count == 3)
            #expect(digests.allSatisfy { $0.count == 64 })
        }
    }

    @Test(
        "a file whose first bytes are not those of a photo is refused with a 415 that lists the accepted types",
        arguments: [
            ("Title,Author\nEmma,Jane Austen\n", "This is not a photo. Send a JPEG, PNG, WebP or HEIC image."),
            ("%PDF-1.7\n", "This is a PDF, not a photo. Send a JPEG, PNG, WebP or HEIC image."),
        ])
    func noPhoto(content: String, message: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request(
                "POST", "/v1/scan", fields: ["Content-Type: image/jpeg"], body: Array(content.utf8))
            #expect(answer.status == 415)
            let failure = try answer.failure
            #expect(failure.code == .unsupportedMediaType)
            #expect(failure.message.hasSuffix("Send a JPEG, PNG, WebP or HEIC image."))
            #expect(failure.message.hasPrefix(String(message.prefix(10))))
            #expect(
                failure.details?["accepted"] == .list(["image/jpeg", "image/png", "image/webp", "image/heic"]))
            #expect(proxy.host.events.elements.isEmpty)
            try await proxy.uploadsEnd()
            #expect(proxy.uploaded(".incoming").isEmpty)
        }
    }

    @Test(
        "a photo larger than 10 MiB is refused with a 413 before it is sent",
        arguments: ["/v1/scan", "/v1/scan/batch"])
    func tooLarge(path: String) async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(
                "POST \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 10485761\r\n\r\n")
            let answer = try HTTPAnswer(try await connection.readToEnd())
            #expect(answer.status == 413)
            #expect(try answer.failure.code == .fileTooLarge)
            #expect(try answer.failure.message == "The file is larger than 10 MiB.")
        }
    }

    @Test("if the announced length exceeds what all photos may have together, the 413 states that limit")
    func tooLargeTogether() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(
                "POST /v1/scan/batch HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(RunningProxy.formType)\r\n"
                    + "Content-Length: 53000000\r\n\r\n")
            let answer = try HTTPAnswer(try await connection.readToEnd())
            #expect(answer.status == 413)
            #expect(try answer.failure.message == "Together, the files are larger than 50 MiB.")
            #expect(try answer.failure.details == ["limit": 52_428_800])
        }
    }

    @Test("no photo, more than five photos, a repeated index and an invalid identifier are refused with a 400")
    func invalid() async throws {
        try await RunningProxy.run { proxy in
            let six = try await proxy.post("/v1/scan/batch", images(Array(repeating: Self.photo, count: 6)))
            #expect(six.status == 400)
            #expect(try six.failure.code == .batchTooLarge)
            let twice = try await proxy.post("/v1/scan/batch", images([Self.photo, Self.photo], indexes: [1, 1]))
            #expect(twice.status == 400)
            #expect(try twice.failure.code == .invalidRequest)
            let none = try await proxy.post("/v1/scan/batch", images([]))
            #expect(none.status == 400)
            #expect(try none.failure.message.contains("contains no photo"))
            for id in ["short", "job%2012345", String(repeating: "a", count: 65)] {
                let answer = try await proxy.request("POST", "/v1/scan?jobId=\(id)", body: Self.photo)
                #expect(answer.status == 400)
                #expect(try answer.failure.message.contains("must be 8 to 64 characters"))
            }
            #expect(proxy.host.events.elements.isEmpty)
        }
    }

    @Test("a photo that progress-host refuses because the job exists is not kept")
    func jobExists() async throws {
        let refusal = RPCApplicationError(code: "JOB_EXISTS", message: "The job exists.")
        try await RunningProxy.run(script: .init(failure: refusal)) { proxy in
            let answer = try await proxy.request("POST", "/v1/scan?jobId=job-12345", body: Self.photo)
            #expect(answer.status == 409)
            #expect(try answer.failure.code == .jobExists)
            try await proxy.uploadsEnd()
            #expect(proxy.uploaded(".incoming").isEmpty)
            #expect(proxy.uploaded("job-12345").isEmpty)
        }
    }

    @Test("a photo that progress-host does not need, because it was sent before, is accepted but not stored again")
    func sameAgain() async throws {
        try await RunningProxy.run(script: .init(needsFile: false)) { proxy in
            let answer = try await proxy.request("POST", "/v1/scan?jobId=job-12345", body: Self.photo)
            #expect(answer.status == 202)
            try await proxy.uploadsEnd()
            #expect(proxy.uploaded("job-12345").isEmpty)
        }
    }

    private func scanHead(_ text: String) throws -> ReadResults.Head {
        var head = ReadResults.Head(
            jobId: try job(text), pipeline: .aiScan, resultsRevision: 2, expiresAt: "2025-11-16T20:00:00.000Z",
            successCount: 2, failureCount: 0)
        head.scan = ScanFigures(
            detected: 2, approved: 1, enriched: 1, photos: [ScannedPhoto(index: 0)], modelUsed: "m",
            processingTime: 9_000, endedAt: 1_763_236_800_000)
        return head
    }

    /// What two workers report, and the response to a photo.
    static let reports: [(main: PhotoReadiness, second: PhotoReadiness, status: Int, code: String?)] = [
        (.unavailable, .available, 202, nil), (.available, .unavailable, 202, nil),
        (.unavailable, .quotaExhausted, 503, "QUOTA_EXHAUSTED"),
        (.unavailable, .unavailable, 503, "SCANNER_UNAVAILABLE"),
    ]

    @Test("photos are accepted if an engine of any worker can read them", arguments: reports)
    func anyWorker(main: PhotoReadiness, second: PhotoReadiness, status: Int, code: String?) async throws {
        try await RunningProxy.run { proxy in
            let workers = [
                try await FakeWorker(at: proxy, photos: main),
                try await FakeWorker(at: proxy, named: #require(WorkerName("second")), photos: second),
            ]
            let answer = try await proxy.request("POST", "/v1/scan", body: Self.photo)
            #expect(answer.status == status)
            #expect((try answer.object["error"] as? [String: Any])?["code"] as? String == code)
            for worker in workers { await worker.stop() }
        }
    }

    @Test("photos are accepted as soon as an engine can be reached again")
    func engineReturns() async throws {
        try await RunningProxy.run { proxy in
            let worker = try await FakeWorker(at: proxy, photos: .unavailable)
            let refusal = try await proxy.request("POST", "/v1/scan", body: Self.photo)
            #expect(refusal.status == 503)
            worker.report(photos: .available)
            let answer = try await proxy.request("POST", "/v1/scan", body: Self.photo)
            #expect(answer.status == 202)
            await worker.stop()
        }
    }

    @Test(
        "one object contains the scan's books and counts",
        arguments: ["/v1/scan/results/job-12345", "/v1/jobs/job-12345/results"])
    func results(path: String) async throws {
        let head = try scanHead("job-12345")
        try await RunningProxy.run(
            script: .init(rows: [[#"{"title":"Dune"}"#], [#"{"title":"Emma"}"#]], head: head)
        ) { proxy in
            let answer = try await proxy.request("GET", path)
            #expect(answer.status == 200)
            let data = try #require(try answer.object["data"] as? [String: Any])
            #expect((data["books"] as? [[String: String]])?.map { $0["title"] } == ["Dune", "Emma"])
            #expect(data["totalDetected"] as? Int == 2)
            #expect(data["approved"] as? Int == 1)
            #expect(data["needsReview"] as? Int == 1)
            #expect(data["resultsRevision"] as? Int == 2)
            #expect((data["photos"] as? [Any])?.count == 1)
            let reading = data["metadata"] as? [String: Any]
            #expect(reading?["modelUsed"] as? String == "m")
            #expect(reading?["timestamp"] as? String == "2025-11-15T20:00:00.000Z")
        }
    }

    @Test("a scan's photo is served without its metadata to clients with the job's token")
    func photo() async throws {
        try await RunningProxy.run { proxy in
            _ = try await proxy.request("POST", "/v1/scan?jobId=job-12345", body: Self.photo)
            let answer = try await proxy.request(
                "GET", "/v1/scan/photos/job-12345/0", fields: ["Authorization: Bearer tok-1"])
            #expect(answer.status == 200)
            #expect(answer["content-type"] == "image/jpeg")
            #expect(answer["cache-control"] == "no-store")
            #expect(answer["content-security-policy"] == "sandbox; default-src 'none'")
            for secret in SampleImage.secrets {
                #expect(answer.body.firstRange(of: Array(secret.utf8)) == nil, "\(secret)")
            }
            let accesses = proxy.host.events.elements.compactMap { event in
                if case .access(method: "state", let access) = event { access.token } else { nil }
            }
            #expect(accesses == ["tok-1"])
        }
    }

    @Test(
        "a photo that the scan does not have causes a 404, and an index out of range a 400",
        arguments: [("1", 404), ("4", 404), ("5", 400), ("-1", 400), ("x", 400)])
    func noSuchPhoto(index: String, status: Int) async throws {
        try await RunningProxy.run { proxy in
            _ = try await proxy.request("POST", "/v1/scan?jobId=job-12345", body: Self.photo)
            let answer = try await proxy.request(
                "GET", "/v1/scan/photos/job-12345/\(index)", fields: ["Authorization: Bearer tok-1"])
            #expect(answer.status == status)
        }
    }

    @Test("reading a photo requires the job's token")
    func photoToken() async throws {
        let refusal = RPCApplicationError(code: "UNAUTHORIZED", message: "no")
        try await RunningProxy.run { proxy in
            _ = try await proxy.request("POST", "/v1/scan?jobId=job-12345", body: Self.photo)
            proxy.host.script.withLockedValue { $0.failure = refusal }
            let answer = try await proxy.request("GET", "/v1/scan/photos/job-12345/0")
            #expect(answer.status == 401)
            #expect(answer.body.firstRange(of: [0xFF, 0xD8]) == nil)
        }
    }
}
