import BookstrackContract
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import Observability

/// Wraps the router: applies limits and the rules for hosts and origins, adds the common header fields, puts failures into the envelope, compresses
/// responses, and answers 404, 405 and `OPTIONS`.
struct EdgeResponder<Next: HTTPResponder<ProxyContext>>: HTTPResponder {
    typealias Context = ProxyContext

    let next: Next
    let rules: EdgeRules

    func respond(to request: Request, context: ProxyContext) async throws -> Response {
        let exchange = context.exchange
        let origin = request.headers[.origin]
        let entry = rules.routes.entry(at: request.uri.path)
        let requestClass = request.method == .options ? .exempt : entry?.limit(of: request.method) ?? .ordinary
        let verdict = rules.limiter?.count(requestClass, peer: context.peer, fields: request.headers)
        var answered: Response
        do {
            if let verdict, !verdict.isAdmitted {
                rules.metrics.rateLimited(requestClass)
                throw verdict.refusal.closing(request)
            }
            try checkSender(of: request, context)
            answered = try await answer(request, entry, context)
            rules.addFields(to: &answered.headers, exchange, origin: origin, verdict)
        } catch {
            guard let failure = rules.failure(answering: error, exchange.activity) else { throw error }
            if !failure.counts {
                rules.limiter?.takeBack(requestClass, peer: context.peer, fields: request.headers)
            }
            answered =
                FailureAnswer(failure, exchange: exchange, origin: origin, origins: rules.originRule.listed).response
            rules.addLimit(verdict, to: &answered.headers)
        }
        answered = try await answered.coded(for: request)
        rules.metrics.answered(request.method, entry, answered.status, after: exchange.activity.elapsed)
        return answered
    }

    /// Throws 403 for an unknown `Host` and, unless the method only reads, for a request from a foreign page. Such a
    /// failure closes the connection if the request has a body, which has not been read.
    private func checkSender(of request: Request, _ context: ProxyContext) throws(APIFailure) {
        do throws(APIFailure) {
            try rules.hosts?.check(request.head.authority, on: context.channel)
            guard request.method != .get, request.method != .head, request.method != .options else { return }
            try rules.originRule.check(request.headers, host: request.head.authority, on: context.channel)
        } catch {
            throw error.closing(request)
        }
    }

    private func answer(
        _ request: Request, _ entry: RouteTable.Entry?, _ context: ProxyContext
    ) async throws -> Response {
        guard let methods = entry?.methods else {
            // `OPTIONS *` concerns the server as a whole (RFC 9110 §9.3.7).
            if request.method == .options, request.head.path == "*" { return Response(status: .noContent) }
            throw APIFailure.unknown(request, docs: rules.routes.entry(at: DescriptionRoutes.pagePath) != nil)
        }
        if methods.contains(request.method) { return try await next.respond(to: request, context: context) }
        guard request.method == .options else { throw APIFailure.notAllowed(request, methods) }
        return Response(status: .noContent, headers: preflightFields(methods, request))
    }

    /// The header fields of responses to `OPTIONS` requests, including CORS preflight requests (Fetch standard, "CORS-preflight request").
    private func preflightFields(_ methods: [HTTPRequest.Method], _ request: Request) -> HTTPFields {
        let list = methods.map(\.rawValue).joined(separator: ", ")
        var fields: HTTPFields = [.allow: list]
        guard let origin = request.headers[.origin], rules.originRule.listed.allows(origin) else { return fields }
        fields[.accessControlAllowMethods] = list
        fields[.accessControlAllowHeaders] =
            "Authorization, Content-Type, If-None-Match, Last-Event-ID, X-Client-Version, X-Request-Id, traceparent"
        fields[.accessControlMaxAge] = "86400"
        return fields
    }
}

extension FailureAnswer {
    /// The response for Hummingbird.
    var response: Response { Response(status: status, headers: fields, body: .init(byteBuffer: body)) }
}

extension Response {
    /// The collected bytes of a body; a class, because writing the body consumes the writer that collects them.
    private final class Collected {
        var bytes = ByteBuffer()
    }

    private struct Collector: ResponseBodyWriter {
        let collected: Collected

        mutating func write(_ buffer: ByteBuffer) async throws { collected.bytes.writeImmutableBuffer(buffer) }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// The response in the content coding that the client prefers (http-api.md "Compression"). The router's text responses are already in memory, so
    /// each one is compressed as a whole.
    fileprivate func coded(for request: Request) async throws -> Response {
        guard let length = body.contentLength else { return self }
        var answer = self
        let accepted = request.headers[.acceptEncoding]
        guard let gzip = ContentCoding.choose(for: &answer.headers, accepted: accepted, length: length) else {
            return answer
        }
        let collected = Collected()
        try await body.write(Collector(collected: collected))
        answer.body = .init(byteBuffer: gzip.finish(collected.bytes))
        return answer
    }
}

extension APIFailure {
    /// A copy of this failure that closes the connection if the request has a body, because that body will not be read.
    fileprivate func closing(_ request: Request) -> APIFailure {
        var failure = self
        failure.closesConnection = request.headers.announceBody
        return failure
    }
}

extension APIFailure {
    /// Maximum length of a path in a message, in characters.
    private static let maxPathLength = 200

    /// - Parameter docs: Whether the listener serves the page that describes its routes.
    fileprivate static func unknown(_ request: Request, docs: Bool) -> APIFailure {
        let (method, path) = (request.method.rawValue, path(of: request))
        return APIFailure(
            .notFound, "Not found: \(method) \(path)." + (docs ? " See \(DescriptionRoutes.pagePath)." : ""),
            details: ["method": .text(method), "path": .text(path)])
    }

    fileprivate static func notAllowed(_ request: Request, _ methods: [HTTPRequest.Method]) -> APIFailure {
        let (method, path) = (request.method.rawValue, path(of: request))
        let allowed = methods.map(\.rawValue).joined(separator: ", ")
        var failure = APIFailure(
            .methodNotAllowed, "Method not allowed: \(method) \(path). Use \(allowed).",
            details: ["method": .text(method), "path": .text(path), "allow": .text(allowed)])
        failure.fields = [.allow: allowed]
        return failure
    }

    private static func path(of request: Request) -> String { String(request.uri.path.prefix(maxPathLength)) }
}

/// Links a connection to the responder: creates the context of each request, adds `Date` (RFC 9110 §6.6.1) and the framing to each response, leaves
/// out the body of a response to HEAD, and logs each request once its response is written.
struct HTTPAnswering<Responder: HTTPResponder<ProxyContext>>: Sendable {
    /// A malformed chunk of the request arrived while the response was being sent. Thrown instead of the parser's error, which would make the
    /// connection send a second response.
    private struct MalformedWhileAnswering: Error {}

    let responder: Responder
    let rules: EdgeRules

    /// The function that a connection calls for each request.
    var closure: HTTPChannelHandler.Responder {
        { request, writer, channel in
            try await answer(request, Activity(TraceContext(request.headers)), channel, writer)
        }
    }

    private func answer(
        _ request: Request, _ activity: Activity, _ channel: any Channel, _ writer: consuming ResponseWriter
    ) async throws {
        var context = ProxyContext(source: .init(channel: channel, logger: rules.logger))
        context.exchange = Exchange(activity)
        var response: Response
        do {
            response = try await Activity.$current.withValue(activity) { [context] in
                try await responder.respond(to: request, context: context)
            }
        } catch let error as HTTPParserError {
            conclude(request, context, nil)
            throw error
        } catch {
            guard let failure = rules.failure(answering: error, activity) else {
                // Throwing the error closes the connection.
                conclude(request, context, nil, left: true)
                throw error
            }
            response =
                FailureAnswer(
                    failure, exchange: context.exchange, origin: request.headers[.origin],
                    origins: rules.originRule.listed
                ).response
        }
        response.headers[.date] = rules.date.now
        response.frame(for: request.method)
        if response.body.contentLength == nil { response.body = response.body.written(in: activity) }
        do {
            if request.method == .head {
                try await writer.writeResponse(response.head)
            } else {
                try await writer.write(response: response.head, body: response.body)
            }
            conclude(request, context, response.status)
        } catch {
            // Errors of the connection rather than of this program or a service behind it.
            let isTheirs = error is HTTPParserError || error is ChannelError || error is IOError || !channel.isActive
            if !isTheirs { activity.note(error) }
            conclude(request, context, response.status, left: isTheirs)
            throw error is HTTPParserError ? MalformedWhileAnswering() : error
        }
    }

    private func conclude(
        _ request: Request, _ context: ProxyContext, _ status: HTTPResponse.Status?, left: Bool = false
    ) {
        let head = request.head
        rules.conclude(
            head.method.rawValue, head.path ?? "", { head.headerFields }, on: context.channel, status: status?.code,
            context.exchange.activity, left: left)
    }
}

extension Response {
    /// Sets the fields that delimit the body (RFC 9112 §6). A response to HEAD has the `Content-Length` that GET would send, and no chunks, since no
    /// body follows.
    fileprivate mutating func frame(for method: HTTPRequest.Method) {
        if !status.hasContent {
            headers[.contentLength] = nil
        } else if body.contentLength == nil, method != .head {
            headers[.transferEncoding] = "chunked"
        }
    }
}

extension ResponseBody {
    /// The same body, written with `activity` as the current activity.
    fileprivate func written(in activity: Activity) -> ResponseBody {
        ResponseBody { writer in
            try await Activity.$current.withValue(activity) { try await write(writer) }
        }
    }
}
