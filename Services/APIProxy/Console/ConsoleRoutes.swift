import BookstrackContract
import HTTPTypes
import Hummingbird
import JSON
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Observability
import ServiceKit
import SuiteMethods

/// The operators' console: its page, its sessions, and the page's requests (console.md).
struct ConsoleRoutes: Sendable {
    static let pagePath = "/console"
    static let filePath = "/console/files/{version}/{file}"
    static let apiPath = "/console/api"

    /// The page: the files in `Pages/Console`, and those that it shares with the page for readers.
    static let webPage = EmbeddedPage(
        folder: "Console", document: "console.html",
        sharing: [
            "Reader/api.js", "Reader/base.css", "Reader/chart.js", "Reader/columns.js", "Reader/dom.js",
            "Reader/live.js", "Reader/photo.js",
        ])

    /// Maximum length of a token, in characters; longer ones are refused.
    private static let maxTokenLength = 1_024

    let consoleGuard: ConsoleGuard
    let reading: ConsoleReading
    let actions: ConsoleActions
    let providerActions: ConsoleProviderActions
    let watchers: WatcherAdmission
    let tails: ConsoleTails
    let bodies: JSONBodies
    let clock: any SuiteClock
    private let throttle = NIOLockedValueBox(LoginThrottle())

    init(
        consoleGuard: ConsoleGuard, reading: ConsoleReading, actions: ConsoleActions,
        providerActions: ConsoleProviderActions, watchers: WatcherAdmission, tails: ConsoleTails, bodies: JSONBodies,
        clock: any SuiteClock = SystemClock()
    ) {
        self.consoleGuard = consoleGuard
        self.reading = reading
        self.actions = actions
        self.providerActions = providerActions
        self.watchers = watchers
        self.tails = tails
        self.bodies = bodies
        self.clock = clock
    }

    /// The console's routes on a listener; none if the console is not available there. Requests for them do not count against client limits: each
    /// request needs a session, can come only from this machine, or costs as little as `/health`; logins have their own limits.
    func routes(of listener: ListenerName) -> [Route] {
        guard consoleGuard.access.isOpen(on: listener) else { return [] }
        let pages = [page(Self.pagePath), Self.webPage.fileRoute(Self.filePath)]
        return (listener == .admin ? [page("/")] : []) + pages + [sessionRoute, login, logout] + readingRoutes
            + actingRoutes
    }

    // MARK: The page

    private func page(_ path: String) -> Route {
        Route(.get, path, limit: .exempt) { request, context in
            try consoleGuard.checkHost(request.head.authority, request.headers, on: context.channel)
            return Self.webPage.answer([.cacheControl: "no-store", .known("X-Frame-Options"): "DENY"])
        }
    }

    // MARK: Sessions

    /// The state that the page needs before it shows anything.
    struct SessionState: Codable, Sendable {
        var mode: String
        var needsLogin: Bool
        /// The CSRF token for requests that do more than read; nil if the operator has to log in first, and after a logout.
        var csrf: String?
        /// When the session ends, in milliseconds since 1970; nil if there is no session.
        var endsAt: Int64?
        var version: String
    }

    private func state(_ session: ConsoleSessions.Session?, csrf: String?) -> SessionState {
        SessionState(
            mode: consoleGuard.access.mode.rawValue, needsLogin: consoleGuard.access.needsLogin, csrf: csrf,
            endsAt: session?.endsAt,
            version: SuiteVersion.text)
    }

    private var sessionRoute: Route {
        Route(.get, Self.apiPath + "/session", limit: .exempt) { request, context in
            try consoleGuard.checkSender(
                request.headers, host: request.head.authority, on: context.channel, writes: false)
            let session = consoleGuard.sessions.session(SessionCookie.id(in: request.headers))
            let shared = consoleGuard.access.needsLogin ? nil : consoleGuard.sessions.sharedCSRF
            return .envelope(.ok, state(session, csrf: session?.csrf ?? shared), context)
        }
    }

    private var login: Route {
        Route(.post, Self.apiPath + "/login", limit: .exempt) { request, context in
            try consoleGuard.checkSender(
                request.headers, host: request.head.authority, on: context.channel, writes: true)
            // There may be no session yet, so its CSRF token cannot be required. Only a page of the same origin can send this field at all.
            guard request.headers[ConsoleGuard.csrfField] == "login" else {
                throw APIFailure(.forbidden, "The header '\(ConsoleGuard.csrfField.rawName): login' is missing.")
            }
            let proxies = consoleGuard.originRule.trustedProxies
            let client = proxies.clientNetwork(peer: context.peer, fields: request.headers)
            let now = clock.uptime
            try throttle.withLockedValue { try $0.enter(client, now: now) }
            let token = try await bodies.read(request, context) { try Self.token($0) }
            let address = proxies.clientAddress(peer: context.peer, fields: request.headers)
            guard consoleGuard.access.admits(token) else {
                await actions.note("login", address, session: nil, outcome: "Wrong token")
                throw APIFailure(.unauthorized, "Wrong console token.")
            }
            let (id, session) = consoleGuard.sessions.begin(replacing: SessionCookie.id(in: request.headers))
            await actions.note("login", address, session: session.name, outcome: "Logged in")
            var answer = Response.envelope(.ok, state(session, csrf: session.csrf), context)
            answer.headers[.setCookie] = SessionCookie.setting(id)
            return answer
        }
    }

    private var logout: Route {
        route(.post, "/logout", .asking) { request, context, caller in
            if let id = SessionCookie.id(in: request.headers) { consoleGuard.sessions.end(id) }
            await actions.note("logout", caller.address, session: caller.session?.name, outcome: "Logged out")
            var answer = Response.envelope(.ok, state(nil, csrf: nil), context)
            answer.headers[.setCookie] = SessionCookie.removal
            return answer
        }
    }

    private static func token(_ bytes: [UInt8]) throws -> String {
        var token: String?
        try JSONReader.readBody(bytes) { reader, key in
            switch key {
            case "token": token = try reader.readText(at: key, limit: maxTokenLength)
            default: try reader.skipValue()
            }
        }
        guard let token else { throw APIFailure.invalid("token", "is missing") }
        return token
    }

    // MARK: The page's requests

    /// A route under ``apiPath``, for requests from the page. Callers that the guard does not admit are refused.
    private func route(
        _ method: HTTPRequest.Method, _ path: String, _ purpose: ConsoleGuard.Purpose,
        _ answer: @escaping @Sendable (Request, ProxyContext, ConsoleCaller) async throws -> Response
    ) -> Route {
        Route(method, Self.apiPath + path, limit: .exempt) { request, context in
            let caller = try consoleGuard.admit(
                request.headers, host: request.head.authority, on: context.channel, for: purpose)
            return try await answer(request, context, caller)
        }
    }

    private func read<Value: Codable & Sendable>(
        _ path: String, _ read: @escaping @Sendable (QueryItems, ProxyContext) async throws -> Value
    ) -> Route {
        route(.get, path, .reading) { request, context, _ in
            .envelope(.ok, try await read(QueryItems(uri: request.uri.string), context), context)
        }
    }

    private var readingRoutes: [Route] {
        [
            read("/overview") { _, _ in await reading.overview() },
            read("/jobs") { query, _ in try await reading.jobs(query) },
            read("/jobs/{jobId}") { _, context in try await reading.job(try context.jobId()) },
            read("/jobs/{jobId}/items") { query, context in try await reading.items(of: try context.jobId(), query) },
            read("/analytics") { query, _ in try await reading.analytics(query) },
            read("/isbns") { _, _ in try await reading.failingISBNs() },
            read("/failures") { query, _ in try await reading.failures(query) },
            read("/providers") { _, _ in await reading.providers() },
            read("/settings") { _, _ in await reading.settings() },
            read("/audit") { query, _ in try await reading.audit(query) },
            route(.get, "/jobs/{jobId}/photos/{index}", .reading) { request, context, _ in
                try await reading.photos.answer(try context.jobId(), context, request.headers)
            },
            route(.get, "/tail", .reading) { request, _, _ in
                try tails.answer(
                    QueryItems(uri: request.uri.string), isPermitted: consoleGuard.permission(of: request.headers))
            },
            Route(onLoop: Self.apiPath + "/jobs/{jobId}/events", limit: .exempt) { [consoleGuard, watchers] request in
                EventStreamOpening(jobId: request.jobId, .frames, watchers, rights: .console(consoleGuard))
            },
        ]
    }

    private var actingRoutes: [Route] {
        [
            route(.post, "/probe", .asking) { _, context, _ in .envelope(.ok, try await reading.probe(), context) },
            route(.post, "/doctor", .asking) { _, context, _ in .envelope(.ok, await reading.doctor(), context) },
            route(.post, "/jobs/actions", .acting) { request, context, caller in
                let body = try await bodies.read(request, context) { try ConsoleActions.Request($0) }
                return .envelope(.ok, await actions.perform(body, caller), context)
            },
            route(.post, "/providers/actions", .acting) { request, context, caller in
                let body = try await bodies.read(request, context) { try ConsoleProviderActions.Request($0) }
                return .envelope(.ok, await providerActions.perform(body, caller), context)
            },
        ]
    }
}
