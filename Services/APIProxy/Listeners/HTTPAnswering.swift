import Hummingbird
import HummingbirdCore
import Logging
import NIOHTTP1

/// Between a connection and the responder: gives each request its context, and each answer its `Date` (RFC 9110 §6.6.1).
enum HTTPAnswering {
    /// A chunk of the request was malformed while the answer was on its way. Not the parser's own error, to which the connection
    /// would answer once more.
    private struct MalformedWhileAnswering: Error {}

    static func closure(_ responder: some HTTPResponder<ProxyContext>, logger: Logger) -> HTTPChannelHandler.Responder {
        let date = HTTPDate()
        return { request, writer, channel in
            var response: Response
            do {
                response = try await responder.respond(
                    to: request, context: ProxyContext(source: .init(channel: channel, logger: logger)))
            } catch let error as HTTPParserError {
                throw error
            } catch {
                logger.debug("a request was not answered", metadata: ["error": "\(error)"])
                response = Response(status: .internalServerError)
            }
            response.headers[.date] = date.now
            do {
                try await writer.write(response: response.head, body: response.body)
            } catch is HTTPParserError {
                throw MalformedWhileAnswering()
            }
        }
    }
}
