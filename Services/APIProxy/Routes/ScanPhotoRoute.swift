import BookstrackContract
import Foundation
import HTTPTypes
import Hummingbird
import ImageFiles
import JSONRPC
import NIOCore
import NIOPosix
import SuiteMethods

/// `GET /v1/scan/photos/{jobId}/{index}`: a photo without its location, time and camera metadata, available until it is deleted with the results of
/// its scan, or earlier to make room for uploads (scans.md "Life"). Unlike results, a photo requires the job's token, because it may show more than
/// books.
struct ScanPhotoRoute: Sendable {
    static let path = "/v1/scan/photos/{jobId}/{index}"

    let host: RPCClient
    let uploads: UploadReceiver

    var routes: [Route] {
        [
            Route(.get, Self.path, limit: .jobReading) { request, context in
                let jobId = try context.jobId()
                let token = BearerToken.read(request.headers[.authorization])
                _ = try await host.call(ReadJobState.self, of: jobId, token: token)
                return try await answer(jobId, context, request.headers)
            }
        ]
    }

    /// The photo that the path specifies, for a caller that may see it.
    func answer(_ jobId: JobID, _ context: ProxyContext, _ fields: HTTPFields) async throws -> Response {
        guard let index = context.parameters.get("index").flatMap({ Int($0) }), (0..<5).contains(index) else {
            throw APIFailure.invalid("index", "must be from 0 to 4")
        }
        let path = "\(uploads.directory.path)/\(jobId.text)/photo-\(index)"
        guard let photo = try await uploads.threads.runIfActive({ StrippedPhoto(path: path) }) else {
            throw APIFailure(
                .notFound, "The scan has no such photo, or it was deleted.",
                details: ["jobId": .text(jobId.text)])
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: StandardFields.imageType(photo.type.mediaType, for: fields),
                .cacheControl: "no-store", .contentSecurityPolicy: "sandbox; default-src 'none'",
            ], body: ResponseBody(length: photo.length, readOn: uploads.threads, photo.read))
    }
}
