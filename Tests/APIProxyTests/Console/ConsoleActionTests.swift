import BookstrackContract
import Foundation
import HTTPTypes
import ServiceKit
import Testing
import TestSupport

@testable import APIProxy

@Suite("Actions from the console") struct ConsoleActionTests {
    /// The POST routes, besides the login, that perform no operator action; every other POST route performs one.
    private static let askingRoutes = ["/console/api/probe", "/console/api/doctor", "/console/api/logout"]
    private static let login = "/console/api/login"
    private static let action = #"{"action":"cancel","jobs":["job-number-1"]}"#
    private static let actionRoute = "/console/api/jobs/actions"

    private func actingPaths(_ proxy: RunningProxy, isAdmin: Bool = true) -> [String] {
        proxy.consolePaths(isAdmin: isAdmin, writing: true).filter {
            !Self.askingRoutes.contains($0) && $0 != Self.login
        }
    }

    @Test("an action needs the listener's own origin, the session and the session's own CSRF token")
    func csrf() async throws {
        try await RunningProxy.runConsole { proxy in
            let (one, other) = (try await proxy.session(), try await proxy.session())
            let own = proxy.ownFields()
            let path = Self.actionRoute
            func status(_ fields: [String]) async throws -> Int {
                try await proxy.console("POST", path, fields: fields, body: Self.action).status
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
        try await RunningProxy.runConsole(.read) { proxy in
            for isAdmin in [true, false] {
                let port = isAdmin ? proxy.adminPort : proxy.port
                let session = try await proxy.session(port: port)
                #expect(actingPaths(proxy, isAdmin: isAdmin).contains(Self.actionRoute))
                for path in actingPaths(proxy, isAdmin: isAdmin) {
                    let answer = try await proxy.console(
                        "POST", path, fields: proxy.ownFields(port) + session.fields,
                        body: Self.action, port: port)
                    #expect(answer.status == 403, "\(path)")
                    #expect(try answer.failure.message.contains("BOOKSTRACK_CONSOLE=write"), "\(path)")
                }
            }
        }
        try await RunningProxy.runConsole(.read, token: nil) { proxy in
            let state = try await proxy.console("GET", "/console/api/session", fields: proxy.ownFields()).object
            let csrf = try #require((state["data"] as? [String: Any])?["csrf"] as? String)
            let fields = proxy.ownFields() + ["X-Console-CSRF: \(csrf)"]
            for path in actingPaths(proxy) {
                let status = try await proxy.console("POST", path, fields: fields, body: Self.action).status
                #expect(status == 403, "\(path)")
            }
        }
    }

    @Test("every console route is GET or POST, and only two routes perform actions")
    func methods() async throws {
        try await RunningProxy.runConsole { proxy in
            for routes in [proxy.services.adminRoutes, proxy.services.routes] {
                let methods = Set(routes.filter { $0.path.hasPrefix("/console") }.map(\.method))
                #expect(methods == [.get, .post])
            }
            let posts = proxy.consolePaths(writing: true)
            for path in Self.askingRoutes + [Self.login] { #expect(posts.contains(path), "\(path)") }
            #expect(actingPaths(proxy).sorted() == [Self.actionRoute, "/console/api/providers/actions"])
        }
    }

    @Test("every console POST route refuses a wrong CSRF token on both listeners")
    func csrfEverywhere() async throws {
        try await RunningProxy.runConsole { proxy in
            for isAdmin in [true, false] {
                let port = isAdmin ? proxy.adminPort : proxy.port
                let session = try await proxy.session(port: port)
                for path in proxy.consolePaths(isAdmin: isAdmin, writing: true) {
                    let status = try await proxy.console(
                        "POST", path, fields: proxy.ownFields(port) + [session.cookie, "X-Console-CSRF: other"],
                        body: "{}", port: port
                    ).status
                    #expect(status == 403, "\(path)")
                }
            }
        }
    }

    @Test(
        "a malformed action is refused with the name of the invalid field",
        arguments: [
            ("{}", "action"), (#"{"action":"delete","jobs":["job-number-1"]}"#, "action"),
            (#"{"action":"cancel"}"#, "jobs"), (#"{"action":"cancel","jobs":"x"}"#, "jobs"),
            (#"{"action":"cancel","jobs":["!"]}"#, "jobs"),
            (#"{"action":"prioritize","jobs":["job-number-1"]}"#, "priority"),
            (#"{"action":"cancel","priority":"low","jobs":["job-number-1"]}"#, "priority"),
        ])
    func malformed(body: String, place: String) async throws {
        try await RunningProxy.runConsole { proxy in
            let session = try await proxy.session()
            let answer = try await proxy.console(
                "POST", Self.actionRoute,
                fields: proxy.ownFields() + session.fields, body: body)
            #expect(answer.status == 400)
            #expect(try answer.failure.details?["field"] == .text(place))
        }
    }

    @Test("each job in an action request has its own outcome")
    func outcomes() async throws {
        try await RunningProxy.runConsole { proxy in
            let session = try await proxy.session()
            let answer = try await proxy.console(
                "POST", Self.actionRoute,
                fields: proxy.ownFields() + session.fields,
                body: #"{"action":"cancel","jobs":["job-number-1","job-unknown"]}"#)
            let outcomes = try #require(try answer.object["data"] as? [[String: Any]])
            #expect(outcomes.map { $0["isDone"] as? Bool } == [true, false])
            #expect(outcomes[1]["outcome"] as? String == "no job job-unknown")
        }
    }

    @Test("the outcome of an action whose task is cancelled states the cancellation")
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
