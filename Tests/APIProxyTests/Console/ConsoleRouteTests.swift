import BookstrackContract
import Foundation
import HTTPTypes
import JSONRPC
import ServiceKit
import SuiteMethods
import Testing
import TestSupport

@testable import APIProxy

@Suite("Console requests") struct ConsoleRouteTests {
    private static let token = "a token of the console"

    /// The POST routes that change nothing in the services; every other POST route except the login performs an action.
    private static let askingRoutes = ["/console/api/probe", "/console/api/doctor", "/console/api/logout"]
    private static let login = "/console/api/login"
    /// The routes whose responses stay open for as long as the client follows them.
    private static let followingRoutes = ["/console/api/tail", "/console/api/jobs/job-number-1/events"]
    private static let action = #"{"action":"cancel","jobs":["job-number-1"]}"#
    private static let actionRoute = "/console/api/jobs/actions"

    /// The console API paths on a listener, from the proxy's own route table: those of the POST routes if `writing`, or
    /// else those of the GET routes.
    private func paths(_ proxy: RunningProxy, isAdmin: Bool = true, writing: Bool) -> [String] {
        let routes = isAdmin ? proxy.services.adminRoutes : proxy.services.routes
        let paths = routes.filter { $0.path.hasPrefix("/console/api/") && ($0.method != .get) == writing }.map {
            $0.path.replacing("{jobId}", with: "job-number-1").replacing("{index}", with: "0")
        }
        #expect(paths.count > 1)
        return paths
    }

    private func actingPaths(_ proxy: RunningProxy, isAdmin: Bool = true) -> [String] {
        paths(proxy, isAdmin: isAdmin, writing: true).filter { !Self.askingRoutes.contains($0) && $0 != Self.login }
    }

    private func run(
        _ mode: ConsoleMode = .write, token: String? = token, _ body: (RunningProxy) async throws -> Void
    ) async throws {
        let access = try ConsoleAccess(mode: mode, token: token.map { Secret($0) }, isAdminLocal: true)
        try await RunningProxy.run {
            $0.console = access
            $0.adminHosts = [HostName("api-proxy")].compactMap { $0 }
            $0.publicHosts = [HostName("books.example.org")].compactMap { $0 }
        } _: { proxy in
            try await body(proxy)
        }
    }

    /// The header fields that a browser adds to a request from the listener's own page.
    private func own(_ port: Int) -> [String] {
        ["Origin: http://localhost:\(port)", "Sec-Fetch-Site: same-origin"]
    }

    /// Sends a request whose `Host` is `host` or, by default, the listener's own name.
    private func send(
        _ proxy: RunningProxy, _ method: String, _ path: String, host: String? = nil, fields: [String] = [],
        body: String? = nil, port: Int? = nil
    ) async throws -> HTTPAnswer {
        let port = port ?? proxy.adminPort
        var lines =
            ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "localhost:\(port)")", "Connection: close"] + fields
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        let connection = try await RawConnection(port: port)
        try await connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8))
        let bytes = try await connection.readToEnd()
        await connection.close()
        return try HTTPAnswer(bytes)
    }

    private func status(
        _ proxy: RunningProxy, _ path: String, host: String? = nil, fields: [String] = [], port: Int? = nil
    ) async throws -> Int {
        try await send(proxy, "GET", path, host: host, fields: fields, port: port).status
    }

    private func login(
        _ proxy: RunningProxy, _ text: String = token, fields: [String] = [], port: Int? = nil
    ) async throws -> HTTPAnswer {
        try await send(
            proxy, "POST", "/console/api/login",
            fields: own(port ?? proxy.adminPort) + ["X-Console-CSRF: login", "Content-Type: application/json"] + fields,
            body: #"{"token":"\#(text)"}"#, port: port)
    }

    private struct Session {
        var cookie: String
        var csrf: String
    }

    private func session(_ proxy: RunningProxy, port: Int? = nil) async throws -> Session {
        let answer = try await login(proxy, port: port)
        #expect(answer.status == 200)
        let data = try #require(try answer.object["data"] as? [String: Any])
        let cookie = try #require(answer["set-cookie"]?.split(separator: ";").first)
        return Session(cookie: "Cookie: \(cookie)", csrf: try #require(data["csrf"] as? String))
    }

    // MARK: The page

    @Test("the console page is not cached, may load only its own files, and cannot be framed")
    func page() async throws {
        try await run { proxy in
            for (path, port) in [("/", proxy.adminPort), ("/console", proxy.adminPort), ("/console", proxy.port)] {
                let answer = try await send(proxy, "GET", path, port: port)
                #expect(answer.status == 200)
                #expect(answer["content-type"] == "text/html; charset=utf-8")
                #expect(answer["cache-control"] == "no-store")
                #expect(answer["x-frame-options"] == "DENY")
                #expect(answer["content-security-policy"] == EmbeddedPage.policy)
                #expect(answer["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
                #expect(answer["set-cookie"] == nil)
            }
        }
    }

    @Test("every file that the page loads is served, and every script imports only files that are served")
    func files() async throws {
        try await run { proxy in
            let page = String(decoding: try await send(proxy, "GET", "/").body, as: UTF8.self)
            let paths = page.matches(of: /(?:href|src)="(\/console\/files\/[^"]+)"/).map { String($0.1) }
            #expect(paths.count == ConsoleRoutes.webPage.files.count)
            for path in paths {
                let answer = try await send(proxy, "GET", path)
                #expect(answer.status == 200, "\(path)")
                #expect(answer["cache-control"] == "public, max-age=31536000, immutable")
            }
        }
        for (name, file) in ConsoleRoutes.webPage.files where name.hasSuffix(".js") {
            for match in file.text.matches(of: /from "\.\/([a-z]+\.js)"/) {
                #expect(ConsoleRoutes.webPage.files[String(match.1)] != nil, "\(name) imports \(match.1)")
            }
        }
    }

    @Test("the console's scripts cannot turn data into markup or load anything from other servers")
    func inert() {
        let forbidden = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc",
            "DOMParser", "createContextualFragment", "setHTMLUnsafe", "style=",
        ]
        for (name, file) in ConsoleRoutes.webPage.files where name.hasSuffix(".js") {
            let script = file.text
            for word in forbidden { #expect(!script.contains(word), "\(name): \(word)") }
            #expect(!script.replacing("http://www.w3.org/2000/svg", with: "").contains("://"), "\(name)")
        }
    }

    @Test("the public listener serves the console only with a token, and no listener serves a console that is off")
    func listeners() async throws {
        try await run(.read, token: nil) { proxy in
            for path in ["/console", "/console/api/session", "/console/api/overview"] {
                let onPublic = try await status(proxy, path, port: proxy.port)
                #expect(onPublic == 404, "\(path)")
                let onAdmin = try await status(proxy, path)
                #expect(onAdmin == 200, "\(path)")
            }
        }
        try await run(.off) { proxy in
            for port in [proxy.adminPort, proxy.port] {
                for path in ["/console", "/console/api/session"] {
                    let answered = try await status(proxy, path, port: port)
                    #expect(answered == 404, "\(path)")
                }
            }
        }
    }

    // MARK: Hosts and origins

    @Test(
        "a request for another host name, as in DNS rebinding, is refused on both listeners",
        arguments: ["evil.example", "localhost.evil.example", "192.0.2.1", "0.0.0.0"])
    func rebinding(host: String) async throws {
        try await run(.read) { proxy in
            for port in [proxy.adminPort, proxy.port] {
                for path in ["/console", "/console/api/session", "/console/api/jobs"] {
                    let answered = try await status(proxy, path, host: host, port: port)
                    #expect(answered == 403, "\(path)")
                }
            }
        }
    }

    @Test(
        "requests for loopback addresses and configured hosts are served, and scrapers can read metrics and liveness",
        arguments: ["api-proxy", "api-proxy:9787", "127.0.0.1", "[::1]:9787", "books.example.org"])
    func hosts(host: String) async throws {
        try await run(.read) { proxy in
            let onPublic = try await status(proxy, "/console", host: host, port: proxy.port)
            #expect(onPublic == 200)
            guard host != "books.example.org" else { return }
            for path in ["/console", "/metrics", "/health/live"] {
                let onAdmin = try await status(proxy, path, host: host)
                #expect(onAdmin == 200, "\(path)")
            }
        }
    }

    @Test(
        "a page from another origin cannot read anything, even if it may call the API",
        arguments: [
            ["Origin: http://localhost:3000"], ["Origin: https://bookstrack.app"], ["Origin: null"],
            ["Origin: https://evil.example"], ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"],
        ])
    func foreignReads(fields: [String]) async throws {
        try await run(.read, token: nil) { proxy in
            for path in paths(proxy, writing: false) {
                let answered = try await status(proxy, path, fields: fields)
                #expect(answered == 403, "\(path)")
            }
        }
    }

    @Test("a browser that opens the URL directly and a client other than a browser can read the console")
    func plainReads() async throws {
        try await run(.read, token: nil) { proxy in
            for fields in [[], ["Sec-Fetch-Site: none"], own(proxy.adminPort)] {
                let answered = try await status(proxy, "/console/api/overview", fields: fields)
                #expect(answered == 200)
            }
        }
    }

    // MARK: Login

    @Test("before login, nothing can be read and no action can be performed", arguments: [true, false])
    func locked(isAdmin: Bool) async throws {
        try await run { proxy in
            let port = isAdmin ? proxy.adminPort : proxy.port
            for path in paths(proxy, isAdmin: isAdmin, writing: false) where path != "/console/api/session" {
                let answer = try await send(proxy, "GET", path, port: port)
                #expect(answer.status == 401, "\(path)")
                #expect(answer["cache-control"] == "no-store")
            }
            for path in paths(proxy, isAdmin: isAdmin, writing: true) where path != Self.login {
                let fields = own(port) + ["X-Console-CSRF: x"]
                #expect(
                    try await send(proxy, "POST", path, fields: fields, body: "{}", port: port).status == 401, "\(path)"
                )
            }
        }
    }

    @Test("a login sets a cookie that is withheld from scripts, other sites and unencrypted connections")
    func cookie() async throws {
        try await run { proxy in
            let answer = try await login(proxy)
            let cookie = try #require(answer["set-cookie"])
            #expect(cookie.hasPrefix("__Host-bookstrack-console="))
            for part in ["Path=/", "Max-Age=28800", "Secure", "HttpOnly", "SameSite=Strict"] {
                #expect(cookie.contains("; \(part)"), "\(part)")
            }
            #expect(!cookie.contains("Domain"))
            #expect(answer["cache-control"] == "no-store")
            let session = try await session(proxy)
            let read = try await send(proxy, "GET", "/console/api/overview", fields: [session.cookie])
            #expect(read.status == 200)
            #expect(read["cache-control"] == "no-store")
        }
    }

    @Test("a session identifier chosen by the client is not adopted, and a second login ends the first session")
    func fixation() async throws {
        try await run { proxy in
            let chosen = "Cookie: __Host-bookstrack-console=chosen"
            let answer = try await login(proxy, fields: [chosen])
            #expect(answer["set-cookie"]?.contains("chosen") == false)
            #expect(try await send(proxy, "GET", "/console/api/jobs", fields: [chosen]).status == 401)
            let first = try await session(proxy)
            #expect(try await login(proxy, fields: [first.cookie]).status == 200)
            #expect(try await send(proxy, "GET", "/console/api/overview", fields: [first.cookie]).status == 401)
        }
    }

    @Test("a logout ends the session and removes the cookie")
    func logout() async throws {
        try await run { proxy in
            let session = try await session(proxy)
            let fields = own(proxy.adminPort) + [session.cookie]
            #expect(try await send(proxy, "POST", "/console/api/logout", fields: fields, body: "").status == 403)
            let answer = try await send(
                proxy, "POST", "/console/api/logout", fields: fields + ["X-Console-CSRF: \(session.csrf)"], body: "")
            #expect(answer.status == 200)
            #expect(answer["set-cookie"]?.contains("Max-Age=0") == true)
            #expect(try await send(proxy, "GET", "/console/api/overview", fields: [session.cookie]).status == 401)
        }
    }

    @Test("the sixth login attempt within a minute is refused on both listeners, even with the right token")
    func bruteForce() async throws {
        try await run { proxy in
            for _ in 0..<5 { #expect(try await login(proxy, "a wrong token").status == 401) }
            let refused = try await login(proxy)
            #expect(refused.status == 429)
            #expect(refused["retry-after"] != nil)
            #expect(try await login(proxy, port: proxy.port).status == 429)
        }
    }

    @Test(
        "a login request that is not from the console's own page is refused and does not count as an attempt",
        arguments: [
            ["X-Console-CSRF: login"], ["X-Console-CSRF: login", "Origin: https://evil.example"],
            ["X-Console-CSRF: login", "Origin: http://localhost:3000"],
        ])
    func foreignLogin(fields: [String]) async throws {
        try await run { proxy in
            for _ in 0..<6 {
                let answer = try await send(
                    proxy, "POST", "/console/api/login", fields: fields, body: #"{"token":"\#(Self.token)"}"#)
                #expect(answer.status == 403)
            }
            let own = own(proxy.adminPort)
            let simple = try await send(
                proxy, "POST", "/console/api/login", fields: own, body: #"{"token":"\#(Self.token)"}"#)
            #expect(simple.status == 403)
            #expect(try await login(proxy).status == 200)
        }
    }

    // MARK: Writing

    @Test("an action needs the listener's own origin, the session and the session's own CSRF token")
    func csrf() async throws {
        try await run { proxy in
            let (one, other) = (try await session(proxy), try await session(proxy))
            let own = own(proxy.adminPort)
            let path = Self.actionRoute
            func status(_ fields: [String]) async throws -> Int {
                try await send(proxy, "POST", path, fields: fields, body: Self.action).status
            }
            let right = "X-Console-CSRF: \(one.csrf)"
            #expect(try await status(own + [one.cookie, right]) == 200)
            #expect(try await status(own + [one.cookie]) == 403)
            #expect(try await status(own + [one.cookie, "X-Console-CSRF: \(other.csrf)"]) == 403)
            #expect(try await status(own + [right]) == 401)
            #expect(try await status([one.cookie, right]) == 403)
            #expect(try await status(["Origin: http://localhost:3000", one.cookie, right]) == 403)
            #expect(try await status(["Origin: https://bookstrack.app", one.cookie, right]) == 403)
            let origin = "Origin: http://localhost:\(proxy.adminPort)"
            #expect(try await status([origin, one.cookie, right]) == 200)
            for site in ["cross-site", "same-site", "none"] {
                #expect(try await status([origin, "Sec-Fetch-Site: \(site)", one.cookie, right]) == 403, "\(site)")
            }
        }
    }

    @Test(
        "in read-only mode, every action is refused, whether or not the console requires a login"
    )
    func readOnly() async throws {
        try await run(.read) { proxy in
            for isAdmin in [true, false] {
                let port = isAdmin ? proxy.adminPort : proxy.port
                let session = try await session(proxy, port: port)
                #expect(actingPaths(proxy, isAdmin: isAdmin).contains(Self.actionRoute))
                for path in actingPaths(proxy, isAdmin: isAdmin) {
                    let answer = try await send(
                        proxy, "POST", path, fields: own(port) + [session.cookie, "X-Console-CSRF: \(session.csrf)"],
                        body: Self.action, port: port)
                    #expect(answer.status == 403, "\(path)")
                    #expect(try answer.failure.message.contains("BOOKSTRACK_CONSOLE=write"), "\(path)")
                }
            }
        }
        try await run(.read, token: nil) { proxy in
            let state = try await send(proxy, "GET", "/console/api/session", fields: own(proxy.adminPort)).object
            let csrf = try #require((state["data"] as? [String: Any])?["csrf"] as? String)
            let fields = own(proxy.adminPort) + ["X-Console-CSRF: \(csrf)"]
            for path in actingPaths(proxy) {
                let status = try await send(proxy, "POST", path, fields: fields, body: Self.action).status
                #expect(status == 403, "\(path)")
            }
        }
    }

    @Test("every console route is GET or POST, and only two routes perform actions")
    func methods() async throws {
        try await run { proxy in
            for routes in [proxy.services.adminRoutes, proxy.services.routes] {
                let methods = Set(routes.filter { $0.path.hasPrefix("/console") }.map(\.method))
                #expect(methods == [.get, .post])
            }
            let posts = paths(proxy, writing: true)
            for path in Self.askingRoutes + [Self.login] { #expect(posts.contains(path), "\(path)") }
            #expect(actingPaths(proxy).sorted() == [Self.actionRoute, "/console/api/providers/actions"])
        }
    }

    @Test("every console POST route refuses a wrong CSRF token on both listeners")
    func csrfEverywhere() async throws {
        try await run { proxy in
            for isAdmin in [true, false] {
                let port = isAdmin ? proxy.adminPort : proxy.port
                let session = try await session(proxy, port: port)
                for path in paths(proxy, isAdmin: isAdmin, writing: true) {
                    let status = try await send(
                        proxy, "POST", path, fields: own(port) + [session.cookie, "X-Console-CSRF: other"],
                        body: "{}", port: port
                    ).status
                    #expect(status == 403, "\(path)")
                }
            }
        }
    }

    @Test("no response to a read request may be cached")
    func neverStored() async throws {
        try await run { proxy in
            let session = try await session(proxy)
            for path in paths(proxy, writing: false) where !Self.followingRoutes.contains(path) {
                let answer = try await send(proxy, "GET", path, fields: [session.cookie])
                #expect(answer["cache-control"] == "no-store", "\(path)")
            }
            for path in Self.followingRoutes {
                let stream = try await EventStreamClient(port: proxy.adminPort, path, fields: [session.cookie])
                #expect(try await stream.head()["cache-control"] == "no-store", "\(path)")
                await stream.connection.close()
            }
        }
    }

    @Test(
        "a malformed action is refused with the name of the invalid field",
        arguments: [
            ("{}", "action"), (#"{"action":"delete","jobs":["job-number-1"]}"#, "action"),
            (#"{"action":"cancel"}"#, "jobs"), (#"{"action":"cancel","jobs":"x"}"#, "jobs"),
            (#"{"action":"cancel","jobs":["!"]}"#, "jobs"),
            (#"{"action":"prioritise","jobs":["job-number-1"]}"#, "priority"),
            (#"{"action":"cancel","priority":"low","jobs":["job-number-1"]}"#, "priority"),
        ])
    func malformed(body: String, place: String) async throws {
        try await run { proxy in
            let session = try await session(proxy)
            let answer = try await send(
                proxy, "POST", Self.actionRoute,
                fields: own(proxy.adminPort) + [session.cookie, "X-Console-CSRF: \(session.csrf)"], body: body)
            #expect(answer.status == 400)
            #expect(try answer.failure.details?["field"] == .text(place))
        }
    }

    @Test("each job in an action request has its own outcome")
    func outcomes() async throws {
        try await run { proxy in
            let session = try await session(proxy)
            let answer = try await send(
                proxy, "POST", Self.actionRoute,
                fields: own(proxy.adminPort) + [session.cookie, "X-Console-CSRF: \(session.csrf)"],
                body: #"{"action":"cancel","jobs":["job-number-1","job-unknown"]}"#)
            let outcomes = try #require(try answer.object["data"] as? [[String: Any]])
            #expect(outcomes.map { $0["isDone"] as? Bool } == [true, false])
            #expect(outcomes[1]["outcome"] as? String == "no job job-unknown")
        }
    }

    @Test("the outcome of an action whose task is cancelled says so")
    func cancelled() async throws {
        try await RunningProxy.run(script: .init(isSilent: true)) { proxy in
            let actions = ConsoleActions(host: proxy.services.results, logger: proxy.log.logger)
            let request = try ConsoleActions.Request(Array(Self.action.utf8))
            let address = try #require(ClientAddress("127.0.0.1"))
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await actions.perform(request, ConsoleCaller(address: address, session: nil, csrf: ""))
            }
            let outcome = try #require(await task.value.first)
            #expect(!outcome.isDone)
            #expect(outcome.outcome == "The request was cancelled.")
        }
    }
}
