import Foundation
import Testing

/// Linux cannot build for iOS, so these tests search the sources of the client for imports that Apple platforms lack and for APIs that are newer
/// than the platforms in Package.swift (iOS 16, macOS 13).
@Suite("The client uses only APIs that Apple platforms have")
struct AppleAPITests {
    /// The modules of the product `BookstrackClient` and its fake server.
    private static let folders = [
        "/Shared/BookIdentifiers/", "/Shared/Contract/", "/Shared/BookstrackClient/",
        "/Shared/BookstrackClientTesting/",
    ]
    private static let own = ["BookIdentifiers", "BookstrackContract", "BookstrackClient"]
    /// Newer APIs, and the first iOS version that has each.
    private static let newer = [
        "Mutex": 18, "Atomic<": 18, "import Synchronization": 18, "any AsyncSequence<": 18, "some AsyncSequence<": 18,
        "isolated deinit": 18, "withDiscardingTaskGroup": 17, "withThrowingDiscardingTaskGroup": 17, "@Observable": 17,
        "import Observation": 17, "InlineArray": 26, "Span<": 26, "Task.immediate": 26,
        "#Predicate": 17, "import SwiftData": 17, "DiscontiguousSlice": 18, "RangeSet": 18,
    ]

    /// A line, and the conditions of the `#if` blocks around it.
    private struct Line {
        let text: String
        let conditions: [String]

        /// Whether no Apple platform compiles this line.
        var isElsewhere: Bool {
            conditions.contains {
                $0.contains("canImport(FoundationNetworking)") && !$0.contains("!")
                    || ["!canImport(Combine)", "!canImport(Security)"].contains($0)
            }
        }
    }

    private struct Source {
        let name: String
        let lines: [Line]
    }

    private static func sources() throws -> [Source] {
        try RepositoryFiles.sources().filter { file in folders.contains { RepositoryFiles.name(file).hasPrefix($0) } }
            .map { Source(name: RepositoryFiles.name($0), lines: lines(try String(contentsOf: $0, encoding: .utf8))) }
    }

    private static func lines(_ text: String) -> [Line] {
        var conditions: [String] = []
        return text.split(separator: "\n").compactMap { line in
            let code = line.trimmingCharacters(in: .whitespaces)
            if code.hasPrefix("#if ") {
                conditions.append(String(code.dropFirst(4)))
            } else if code.hasPrefix("#elseif ") {
                conditions[conditions.count - 1] = String(code.dropFirst(8))
            } else if code == "#else" {
                let condition = conditions.removeLast()
                conditions.append(condition.hasPrefix("!") ? String(condition.dropFirst()) : "!\(condition)")
            } else if code == "#endif" {
                conditions.removeLast()
            } else if !code.hasPrefix("//") {
                return Line(text: code, conditions: conditions)
            }
            return nil
        }
    }

    @Test("outside `#if` blocks, the client imports only Foundation and its own modules")
    func imports() throws {
        let sources = try Self.sources()
        #expect(sources.count > 60)
        for source in sources {
            for line in source.lines where line.conditions.isEmpty {
                guard let module = line.text.firstMatch(of: /^(?:@\w+ )?(?:public |package )?import (\w+)$/)?.1 else {
                    continue
                }
                #expect(module == "Foundation" || Self.own.contains(String(module)), "\(source.name): \(line.text)")
            }
        }
    }

    @Test("code compiled for Apple platforms uses none of the listed APIs, which iOS 16 lacks")
    func availability() throws {
        for source in try Self.sources() {
            for line in source.lines where !line.isElsewhere {
                for (name, version) in Self.newer where line.text.contains(name) {
                    Issue.record("\(source.name): \(name) requires iOS \(version): \(line.text)")
                }
            }
        }
    }

    @Test("imports of FoundationNetworking and SwiftNIO are inside a condition that names the module or the trait")
    func conditions() throws {
        for source in try Self.sources() {
            for line in source.lines where line.text.hasSuffix("import FoundationNetworking") {
                #expect(line.conditions.contains { $0.contains("canImport(FoundationNetworking)") }, "\(source.name)")
            }
            for line in source.lines {
                guard let module = line.text.firstMatch(of: /import (NIO\w+)/)?.1 else { continue }
                #expect(line.conditions.contains { $0.contains("NIOTransport") }, "\(source.name): \(module)")
            }
        }
    }
}
