import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import Observability

/// Between a connection and the responder: gives each request its context, each answer its `Date` (RFC 9110 §6.6.1), and tells of both when
/// the answer is written.
struct HTTPAnswering<Responder: HTTPResponder<ProxyContext>>: Sendable {
    /// A chunk of the request was malformed while the answer was on its way. Not the parser's own error, to which the connection
    /// would answer once more.
    private struct MalformedWhileAnswering: Error {}

    let responder: Responder
    let rules: EdgeRules

    /// What a connection calls for each request.
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
            rules.logger.debug("a request was not answered", metadata: ["error": "\(error)"])
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = rules.date.now
        if response.body.contentLength == nil { response.body = response.body.written(in: activity) }
        do {
            try await writer.write(response: response.head, body: response.body)
            conclude(request, context, response.status)
        } catch {
            // A failure that is not the connection's is this program's, or that of a service behind it.
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

extension ResponseBody {
    /// The same body; what is done while it is written bit by bit belongs to the request.
    fileprivate func written(in activity: Activity) -> ResponseBody {
        ResponseBody { writer in
            try await Activity.$current.withValue(activity) { try await write(writer) }
        }
    }
}
