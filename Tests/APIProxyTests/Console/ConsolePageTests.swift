import ServiceKit
import Testing

@testable import APIProxy

@Suite("Console page") struct ConsolePageTests {
    @Test("the console page is not cached, may load only its own files, and cannot be framed")
    func page() async throws {
        try await RunningProxy.runConsole { proxy in
            for (path, port) in [("/", proxy.adminPort), ("/console", proxy.adminPort), ("/console", proxy.port)] {
                let answer = try await proxy.console("GET", path, port: port)
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
        try await RunningProxy.runConsole { proxy in
            let page = String(decoding: try await proxy.console("GET", "/").body, as: UTF8.self)
            let paths = page.matches(of: /(?:href|src)="(\/console\/files\/[^"]+)"/).map { String($0.1) }
            #expect(paths.count == ConsoleRoutes.webPage.files.count)
            for path in paths {
                let answer = try await proxy.console("GET", path)
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
        try await RunningProxy.runConsole(.read, token: nil) { proxy in
            for path in ["/console", "/console/api/session", "/console/api/overview"] {
                let onPublic = try await proxy.consoleStatus(path, port: proxy.port)
                #expect(onPublic == 404, "\(path)")
                let onAdmin = try await proxy.consoleStatus(path)
                #expect(onAdmin == 200, "\(path)")
            }
        }
        try await RunningProxy.runConsole(.off) { proxy in
            for port in [proxy.adminPort, proxy.port] {
                for path in ["/console", "/console/api/session"] {
                    let answered = try await proxy.consoleStatus(path, port: port)
                    #expect(answered == 404, "\(path)")
                }
            }
        }
    }
}
