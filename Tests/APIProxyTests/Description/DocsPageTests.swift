import Crypto
import Foundation
import NIOCore
import Testing

@testable import APIProxy

@Suite("The documentation page at /docs") struct DocsPageTests {
    private static func element(_ tag: String, of page: String) throws -> String {
        let start = try #require(page.range(of: "<\(tag)>"))
        let end = try #require(page.range(of: "</\(tag)>"))
        return String(page[start.upperBound..<end.lowerBound])
    }

    @Test("the page's Content-Security-Policy allows only its own script and style")
    func policy() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("GET", "/docs")
            #expect(answer.status == 200)
            #expect(answer["content-type"] == "text/html; charset=utf-8")
            let page = String(decoding: answer.body, as: UTF8.self)
            let policy = try #require(answer["content-security-policy"])
            for (directive, tag) in [("script-src", "script"), ("style-src", "style")] {
                let digest = SHA256.hash(data: Data(try Self.element(tag, of: page).utf8))
                #expect(policy.contains("\(directive) 'sha256-\(Data(digest).base64EncodedString())';"))
            }
            #expect(policy.hasPrefix("default-src 'none';"))
            #expect(!policy.contains("unsafe"))
            #expect(!policy.contains("*"))
            #expect(page.components(separatedBy: "<script").count == 2)
        }
    }

    @Test("the page is assembled from all of its files")
    func files() throws {
        let page = String(buffer: DocsPage.body)
        #expect(try !Self.element("style", of: page).contains("style.css"))
        #expect(page.hasPrefix("<!doctype html>"))
        for part in ["const byId", "const order", "function showSchema", "function showSocket", "start();"] {
            #expect(try Self.element("script", of: page).contains(part), "\(part)")
        }
    }

    @Test("the page loads nothing from other servers and has no inline handlers or styles")
    func selfContained() throws {
        let page = String(buffer: DocsPage.body)
        #expect(!page.contains("http://"))
        #expect(!page.contains("https://"))
        for forbidden in [" style=", " onclick=", " onload=", "innerHTML", "eval(", "document.write"] {
            #expect(!page.contains(forbidden), "\(forbidden)")
        }
    }

    @Test("every input field has a label, and every element that the script looks up exists")
    func elements() throws {
        let page = String(buffer: DocsPage.body)
        let script = try Self.element("script", of: page)
        let markup = page.replacing(script, with: "")
        for match in script.matches(of: /byId\("([a-z]+)"\)/) {
            #expect(markup.contains("id=\"\(match.1)\""), "\(match.1)")
        }
        let fields = markup.matches(of: /<input/).count
        #expect(markup.matches(of: /<label>[^<]*<input/).count == fields)
    }
}
