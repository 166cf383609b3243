import Foundation
import HTTPTypes
import ServiceKit
import Testing

@testable import APIProxy

extension RunningProxy {
    static let consoleToken = "a token of the console"

    /// A login to the console.
    struct ConsoleSession {
        /// The header field with the session's cookie.
        var cookie: String
        var csrf: String

        /// The header fields of a request that performs an action.
        var fields: [String] { [cookie, "X-Console-CSRF: \(csrf)"] }
    }

    /// Starts a proxy with a console, passes it to `body`, and stops it.
    static func runConsole(
        _ mode: ConsoleMode = .write, token: String? = consoleToken, _ change: (inout ProxySettings) -> Void = { _ in },
        _ body: (RunningProxy) async throws -> Void
    ) async throws {
        let access = try ConsoleAccess(mode: mode, token: token.map { Secret($0) }, isAdminLocal: true)
        try await run {
            $0.console = access
            change(&$0)
        } _: { proxy in
            try await body(proxy)
        }
    }

    /// The console API paths on a listener, from the proxy's own route table: those of the POST routes if `writing`,
    /// otherwise those of the GET routes.
    func consolePaths(isAdmin: Bool = true, writing: Bool) -> [String] {
        let routes = isAdmin ? services.adminRoutes : services.routes
        let paths = routes.filter { $0.path.hasPrefix("/console/api/") && ($0.method != .get) == writing }.map {
            $0.path.replacing("{jobId}", with: "job-number-1").replacing("{index}", with: "0")
        }
        #expect(paths.count > 1)
        return paths
    }

    /// The header fields that a browser adds to a request from the listener's own page.
    func ownFields(_ port: Int? = nil) -> [String] {
        ["Origin: http://localhost:\(port ?? adminPort)", "Sec-Fetch-Site: same-origin"]
    }

    /// Sends a request to the admin listener or to `port`. Its `Host` is `host` or, by default, the listener's own name.
    func console(
        _ method: String, _ path: String, host: String? = nil, fields: [String] = [], body: String? = nil,
        port: Int? = nil
    ) async throws -> HTTPAnswer {
        let port = port ?? adminPort
        return try await request(
            method, path, fields: fields, body: body.map { Array($0.utf8) }, port: port,
            host: host ?? "localhost:\(port)")
    }

    func consoleStatus(
        _ path: String, host: String? = nil, fields: [String] = [], port: Int? = nil
    ) async throws -> Int {
        try await console("GET", path, host: host, fields: fields, port: port).status
    }

    func logIn(_ token: String = consoleToken, fields: [String] = [], port: Int? = nil) async throws -> HTTPAnswer {
        try await console(
            "POST", "/console/api/login",
            fields: ownFields(port) + ["X-Console-CSRF: login", "Content-Type: application/json"] + fields,
            body: #"{"token":"\#(token)"}"#, port: port)
    }

    /// Logs in to the console.
    func session(port: Int? = nil) async throws -> ConsoleSession {
        let answer = try await logIn(port: port)
        #expect(answer.status == 200)
        let data = try #require(try answer.object["data"] as? [String: Any])
        let cookie = try #require(answer["set-cookie"]?.split(separator: ";").first)
        return ConsoleSession(cookie: "Cookie: \(cookie)", csrf: try #require(data["csrf"] as? String))
    }
}
