import BookstrackContract
import Foundation
import Testing

@testable import APIProxy

@Suite("The readers' page") struct ReaderPageTests {
    private static let browser = ["Accept: text/html,application/xhtml+xml,*/*;q=0.8"]

    private static var document: String { EmbeddedFile(path: "Reader/reader.html")?.text ?? "" }

    private static var scripts: [String: String] {
        ReaderPage.page.files.filter { $0.key.hasSuffix(".js") }.mapValues(\.text)
    }

    @Test("browsers receive the page with the documented security policy, and must revalidate cached copies")
    func page() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("GET", "/", fields: Self.browser)
            #expect(answer.status == 200)
            #expect(answer["content-type"] == "text/html; charset=utf-8")
            #expect(answer["cache-control"] == "no-cache")
            #expect(answer["vary"]?.contains("Accept") == true)
            #expect(
                answer["content-security-policy"]
                    == "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                    + "img-src 'self' data: blob:; base-uri 'none'; frame-ancestors 'none'")
            #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix("<!doctype html>"))
        }
    }

    @Test(
        "clients that do not prefer HTML receive a 404 with a link to the documentation",
        arguments: ["*/*", "application/json"])
    func otherClients(accept: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("GET", "/", fields: ["Accept: \(accept)"])
            #expect(answer.status == 404)
            #expect(try answer.failure.code == .notFound)
            #expect(answer["link"] == "</docs>; rel=\"service-doc\"")
            #expect(answer["vary"]?.contains("Accept") == true)
        }
    }

    @Test("only clients that prefer HTML receive the page")
    func preference() {
        for accept in ["text/html", "TEXT/HTML; charset=utf-8", "application/json;q=0.5, text/html;q=0.9"] {
            #expect(ReaderPage.prefersHTML([accept]), "\(accept)")
        }
        #expect(ReaderPage.prefersHTML(["application/xml", "text/html"]))
        for accept in ["", "*/*", "text/*", "text/html;q=0", "application/json, text/html;q=0.9", "text/htmlx"] {
            #expect(!ReaderPage.prefersHTML([accept]), "\(accept)")
        }
    }

    @Test("every file that the page loads is served, and only the current version may be cached indefinitely")
    func files() async throws {
        try await RunningProxy.run { proxy in
            let page = String(
                decoding: try await proxy.request("GET", "/", fields: Self.browser).body, as: UTF8.self)
            let paths = page.matches(of: /(?:href|src)="(\/page\/[^"]+)"/).map { String($0.1) }
            #expect(paths.count == ReaderPage.page.files.count)
            for path in paths {
                let answer = try await proxy.request("GET", path)
                #expect(answer.status == 200, "\(path)")
                #expect(answer["cache-control"] == "public, max-age=31536000, immutable")
                #expect(
                    answer["content-type"] == "text/\(path.hasSuffix(".css") ? "css" : "javascript"); charset=utf-8")
            }
            let old = try await proxy.request("GET", "/page/0/reader.js")
            #expect(old.status == 200)
            #expect(old["cache-control"] == "no-cache")
            #expect(try await proxy.request("GET", "/page/0/other.js").status == 404)
        }
    }

    @Test(
        "every script imports only existing files, and every element that a script looks up is in the page or made by a script"
    )
    func references() throws {
        for (name, script) in Self.scripts {
            for match in script.matches(of: /from "\.\/([a-z]+\.js)"/) {
                #expect(ReaderPage.page.files[String(match.1)] != nil, "\(name) imports \(match.1)")
            }
        }
        let made = Self.scripts.values.joined()
        for match in made.matches(of: /byId\("([a-z-]+)"\)/) {
            let id = "id=\"\(match.1)\""
            #expect(Self.document.contains(id) || made.contains("id: \"\(match.1)\""), "\(match.1)")
        }
    }

    @Test("no data can become markup, and nothing is loaded from other servers")
    func inert() {
        let forbidden = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc",
            "DOMParser", "createContextualFragment", "setHTMLUnsafe",
        ]
        for (name, script) in Self.scripts {
            for word in forbidden { #expect(!script.contains(word), "\(name): \(word)") }
            #expect(!script.replacing("http://www.w3.org/2000/svg", with: "").contains("://"), "\(name)")
        }
        for word in [" style=", " onclick=", " onload=", "https://", "<script>", "<style"] {
            #expect(!Self.document.contains(word), "\(word)")
        }
    }
}
