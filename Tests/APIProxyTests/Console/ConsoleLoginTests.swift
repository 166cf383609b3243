import Testing

@testable import APIProxy

@Suite("Console login") struct ConsoleLoginTests {
    /// The routes whose responses stay open for as long as the client follows them.
    private static let followingRoutes = ["/console/api/tail", "/console/api/jobs/job-number-1/events"]

    @Test("before login, nothing can be read and no action can be performed", arguments: [true, false])
    func locked(isAdmin: Bool) async throws {
        try await RunningProxy.runConsole { proxy in
            let port = isAdmin ? proxy.adminPort : proxy.port
            for path in proxy.consolePaths(isAdmin: isAdmin, writing: false) where path != "/console/api/session" {
                let answer = try await proxy.console("GET", path, port: port)
                #expect(answer.status == 401, "\(path)")
                #expect(answer["cache-control"] == "no-store")
            }
            for path in proxy.consolePaths(isAdmin: isAdmin, writing: true) where path != "/console/api/login" {
                let fields = proxy.ownFields(port) + ["X-Console-CSRF: x"]
                #expect(
                    try await proxy.console("POST", path, fields: fields, body: "{}", port: port).status == 401,
                    "\(path)"
                )
            }
        }
    }

    @Test("a login sets a cookie that is withheld from scripts, other sites and unencrypted connections")
    func cookie() async throws {
        try await RunningProxy.runConsole { proxy in
            let answer = try await proxy.logIn()
            let cookie = try #require(answer["set-cookie"])
            #expect(cookie.hasPrefix("__Host-bookstrack-console="))
            for part in ["Path=/", "Max-Age=28800", "Secure", "HttpOnly", "SameSite=Strict"] {
                #expect(cookie.contains("; \(part)"), "\(part)")
            }
            #expect(!cookie.contains("Domain"))
            #expect(answer["cache-control"] == "no-store")
            let session = try await proxy.session()
            let read = try await proxy.console("GET", "/console/api/overview", fields: [session.cookie])
            #expect(read.status == 200)
            #expect(read["cache-control"] == "no-store")
        }
    }

    @Test("no response to a read request may be cached")
    func neverStored() async throws {
        try await RunningProxy.runConsole { proxy in
            let session = try await proxy.session()
            for path in proxy.consolePaths(writing: false) where !Self.followingRoutes.contains(path) {
                let answer = try await proxy.console("GET", path, fields: [session.cookie])
                #expect(answer["cache-control"] == "no-store", "\(path)")
            }
            for path in Self.followingRoutes {
                let stream = try await EventStreamClient(port: proxy.adminPort, path, fields: [session.cookie])
                #expect(try await stream.head()["cache-control"] == "no-store", "\(path)")
                await stream.connection.close()
            }
        }
    }

    @Test("a session identifier chosen by the client is not adopted, and a second login ends the first session")
    func fixation() async throws {
        try await RunningProxy.runConsole { proxy in
            let chosen = "Cookie: __Host-bookstrack-console=chosen"
            let answer = try await proxy.logIn(fields: [chosen])
            #expect(answer["set-cookie"]?.contains("chosen") == false)
            #expect(try await proxy.console("GET", "/console/api/jobs", fields: [chosen]).status == 401)
            let first = try await proxy.session()
            #expect(try await proxy.logIn(fields: [first.cookie]).status == 200)
            #expect(try await proxy.console("GET", "/console/api/overview", fields: [first.cookie]).status == 401)
        }
    }

    @Test("a logout ends the session and removes the cookie")
    func logout() async throws {
        try await RunningProxy.runConsole { proxy in
            let session = try await proxy.session()
            let fields = proxy.ownFields() + [session.cookie]
            #expect(try await proxy.console("POST", "/console/api/logout", fields: fields, body: "").status == 403)
            let answer = try await proxy.console(
                "POST", "/console/api/logout", fields: fields + ["X-Console-CSRF: \(session.csrf)"], body: "")
            #expect(answer.status == 200)
            #expect(answer["set-cookie"]?.contains("Max-Age=0") == true)
            #expect(try await proxy.console("GET", "/console/api/overview", fields: [session.cookie]).status == 401)
        }
    }

    @Test("the sixth login attempt within a minute is refused on both listeners, even with the right token")
    func bruteForce() async throws {
        try await RunningProxy.runConsole { proxy in
            for _ in 0..<5 { #expect(try await proxy.logIn("a wrong token").status == 401) }
            let refused = try await proxy.logIn()
            #expect(refused.status == 429)
            #expect(refused["retry-after"] != nil)
            #expect(try await proxy.logIn(port: proxy.port).status == 429)
        }
    }

    @Test(
        "a login request that is not from the console's own page is refused and does not count as an attempt",
        arguments: [
            ["X-Console-CSRF: login"], ["X-Console-CSRF: login", "Origin: https://evil.example"],
            ["X-Console-CSRF: login", "Origin: http://localhost:3000"],
        ])
    func foreignLogin(fields: [String]) async throws {
        try await RunningProxy.runConsole { proxy in
            for _ in 0..<6 {
                let answer = try await proxy.console(
                    "POST", "/console/api/login", fields: fields, body: #"{"token":"\#(RunningProxy.consoleToken)"}"#)
                #expect(answer.status == 403)
            }
            let own = proxy.ownFields()
            let simple = try await proxy.console(
                "POST", "/console/api/login", fields: own, body: #"{"token":"\#(RunningProxy.consoleToken)"}"#)
            #expect(simple.status == 403)
            #expect(try await proxy.logIn().status == 200)
        }
    }
}
