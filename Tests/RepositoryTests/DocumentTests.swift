import Foundation
import SuiteMethods
import Testing

@testable import ServiceKit

@Suite("The repository's documents")
struct DocumentTests {
    @Test("every relative link points to an existing file and, if it has an anchor, to an existing heading")
    func links() throws {
        let link = try Regex(#"\]\(([^)\s]+)\)"#)
        let documents = RepositoryFiles.documents()
        #expect(documents.count > 5)
        for document in documents {
            let text = try String(contentsOf: document, encoding: .utf8)
            for match in text.matches(of: link) {
                guard let target = match[1].substring.map(String.init), !target.contains("://") else { continue }
                let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
                    String.init)
                let file = parts[0].isEmpty ? document : document.deletingLastPathComponent().appending(path: parts[0])
                guard RepositoryFiles.exists(file) else {
                    Issue.record("\(RepositoryFiles.name(document)): \(target) does not exist")
                    continue
                }
                guard parts.count == 2 else { continue }
                let headings = try Self.anchors(of: String(contentsOf: file, encoding: .utf8))
                #expect(headings.contains(parts[1]), "\(RepositoryFiles.name(document)): \(target)")
            }
        }
    }

    /// Text in backticks counts as a path if it starts with a top-level folder, or is the path of a Swift or Markdown file relative to `Services`,
    /// `Shared` or the document.
    @Test("every path in backticks exists")
    func paths() throws {
        let path = try Regex(#"`((?:Services|Shared|Tests|deploy|\.ci|\.github)/[A-Za-z0-9_@+./-]*)[`:# ]"#)
        let source = try Regex(#"`([A-Z][A-Za-z0-9_+/-]*/[A-Za-z0-9_+.-]+\.(?:swift|md))`"#)
        var count = 0
        for document in RepositoryFiles.documents() {
            let text = try String(contentsOf: document, encoding: .utf8)
            let places =
                [RepositoryFiles.root, RepositoryFiles.root.appending(path: "Services")] + [
                    RepositoryFiles.root.appending(path: "Shared"), document.deletingLastPathComponent(),
                ]
            for match in text.matches(of: path) + text.matches(of: source) {
                guard let name = match[1].substring.map(String.init) else { continue }
                count += 1
                let isThere = places.contains { RepositoryFiles.exists($0.appending(path: name)) }
                #expect(isThere, "\(RepositoryFiles.name(document)): \(name)")
            }
        }
        #expect(count > 100)
    }

    /// A comment cites a document by its name, and a section of it by its heading: `websocket.md "Close codes"`.
    @Test("every document that a source cites exists and has the cited heading")
    func citations() throws {
        var headings: [String: Set<Substring>] = [:]
        for document in RepositoryFiles.documents() {
            let lines = try String(contentsOf: document, encoding: .utf8).split(separator: "\n")
            let titles = lines.filter { $0.hasPrefix("#") }.map { $0.drop { $0 == "#" || $0 == " " } }
            headings[document.lastPathComponent, default: []].formUnion(titles)
        }
        let wrap = try Regex(#"\s*\n\s*//+ ?"#)
        let citation = try Regex(#"([A-Za-z-]+\.md)(?: "([^"\\]+)")?"#)
        let elsewhere = ["spec/0", "spec/1", "contract §", "engineering notes"]
        var count = 0
        for source in RepositoryFiles.sources() where source.path != #filePath {
            let source = (name: RepositoryFiles.name(source), text: try String(contentsOf: source, encoding: .utf8))
            let foreign = elsewhere.filter { source.text.contains($0) }
            #expect(foreign.isEmpty, "\(source.name) cites a document that is not in the repository")
            guard source.text.contains(".md") else { continue }
            let text = source.text.replacing(wrap, with: " ")
            for match in text.matches(of: citation) {
                guard let name = match[1].substring.map(String.init) else { continue }
                count += 1
                guard let titles = headings[name] else {
                    Issue.record("\(source.name): \(name) does not exist")
                    continue
                }
                guard let heading = match[2].substring else { continue }
                #expect(titles.contains(heading), "\(source.name): \(name) has no heading \(heading)")
            }
        }
        #expect(count > 10)
    }

    @Test("deploy/docs/configuration.md lists every setting as the catalog declares it")
    func configuration() throws {
        let file = RepositoryFiles.root.appending(path: "deploy/docs/configuration.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = "<!-- generated from the settings catalog -->\n"
        let end = "<!-- end of the generated part -->"
        let from = try #require(text.range(of: start)).upperBound
        let to = try #require(text.range(of: end)).lowerBound
        let expected = Self.tables()
        if ProcessInfo.processInfo.environment["BOOKSTRACK_WRITE_DOCUMENTS"] != nil {
            let changed = text.replacingCharacters(in: from..<to, with: expected)
            try changed.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(
                text[from..<to] == expected,
                "BOOKSTRACK_WRITE_DOCUMENTS=1 deploy/test --filter DocumentTests rewrites it"
            )
        }
    }

    @Test("the changelog's newest release has the programs' version and release day")
    func changelog() throws {
        let text = try String(contentsOf: RepositoryFiles.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let newest = try #require(text.split(separator: "\n").first { $0.hasPrefix("## [") && $0 != "## [Unreleased]" })
        let day = SuiteVersion.released.formatted(.iso8601.year().month().day())
        #expect(newest == "## [\(SuiteVersion.text)] - \(day)")
    }

    @Test("the README has at most 120 lines")
    func readme() throws {
        let text = try String(contentsOf: RepositoryFiles.root.appending(path: "README.md"), encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
    }

    /// GitHub's heading anchors: lowercase, hyphens for spaces, no punctuation.
    private static func anchors(of text: String) -> Set<String> {
        Set(
            text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
                let title = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                return String(
                    title.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil })
            })
    }

    /// The settings by group, each with the services that read it.
    private static func tables() -> String {
        let groups: [(title: String, settings: [SettingDeclaration])] = [
            ("All processes", SettingCatalog.process), ("HTTP and WebSockets", SettingCatalog.http),
            ("Console", SettingCatalog.console), ("Uploads and imports", SettingCatalog.uploads),
            ("Rate limits", SettingCatalog.rateLimits),
            ("Jobs", SettingCatalog.jobs), ("Webhooks", SettingCatalog.webhooks),
            ("Providers", SettingCatalog.providers),
            ("AI engines", SettingCatalog.engines), ("Caches", SettingCatalog.cache),
            ("Command line", SettingCatalog.commandLine),
        ]
        return groups.map { group in
            let rows = group.settings.map { setting in
                let readers = SettingCatalog.readers(of: setting.name).map(\.rawValue)
                let fallback = setting.fallback.isEmpty ? "none" : setting.fallback
                let value = fallback.contains(" ") || setting.fallback.isEmpty ? fallback : "`\(fallback)`"
                let unit = setting.unit.map { setting.fallback.isEmpty ? "" : " \($0)" } ?? ""
                let readBy =
                    readers.isEmpty ? "bookstrack" : readers.count == 3 ? "all" : readers.joined(separator: ", ")
                return "| `\(setting.name)` | \(value)\(unit) | \(setting.meaning) | \(readBy) |\n"
            }
            return "\n## \(group.title)\n\n| variable | default | meaning | read by |\n|---|---|---|---|\n"
                + rows.joined()
        }.joined() + "\n"
    }
}
