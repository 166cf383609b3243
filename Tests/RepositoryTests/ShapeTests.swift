import Foundation
import Testing

/// Checks that files are small enough to cover a single concept, that files and folders are not needlessly small, and that tests keep pace.
@Suite("Sizes of source files and folders")
struct ShapeTests {
    /// The number of lines of each source file in `Services` and `Shared`, by path.
    private let lines: [String: Int]

    init() throws {
        let sources = RepositoryFiles.sources().map { (name: RepositoryFiles.name($0), file: $0) }
        let own = sources.filter { $0.name.hasPrefix("/Services/") || $0.name.hasPrefix("/Shared/") }
        lines = try Dictionary(
            uniqueKeysWithValues: own.map {
                (
                    $0.name,
                    try String(contentsOf: $0.file, encoding: .utf8).split(
                        separator: "\n", omittingEmptySubsequences: false
                    ).count - 1
                )
            })
    }

    @Test("at most 8 % of the files have fewer than 30 lines")
    func smallFiles() {
        let small = lines.filter { $0.value < 30 }.keys.sorted()
        #expect(lines.count > 300)
        #expect(small.count * 100 <= lines.count * 8, "\(small.count) of \(lines.count): \(small)")
    }

    @Test("the median file has 80 to 120 lines, and nine in ten files have at most 300")
    func typicalFiles() {
        let sorted = lines.values.sorted()
        #expect(sorted[sorted.count / 2] >= 80)
        #expect(sorted[sorted.count / 2] <= 120)
        #expect(sorted[sorted.count * 9 / 10] <= 300)
    }

    @Test("no file has more than 500 lines")
    func largeFiles() {
        #expect(lines.filter { $0.value > 500 }.keys.sorted() == [])
    }

    /// Lines that are not blank are counted: in `Tests`, those of every Swift file, also of fixtures, fuzzers and benchmarks; tests in other languages
    /// are not counted.
    @Test("the tests have at least nine lines for ten lines of source")
    func tests() throws {
        var counts: [Substring: Int] = [:]
        for file in RepositoryFiles.sources() {
            let text = try String(contentsOf: file, encoding: .utf8)
            let top = RepositoryFiles.name(file).split(separator: "/")[0]
            counts[top, default: 0] += text.split(separator: "\n").count { !$0.allSatisfy(\.isWhitespace) }
        }
        let tests = try #require(counts["Tests"])
        let sources = try #require(counts["Services"]) + #require(counts["Shared"])
        #expect(tests * 10 >= sources * 9, "\(tests) lines of tests, \(sources) of source")
    }

    @Test("a folder below a module has at least five files")
    func folders() throws {
        let package = try String(contentsOf: RepositoryFiles.root.appending(path: "Package.swift"), encoding: .utf8)
        let path = try Regex(#"path: "([A-Za-z/]+)""#)
        let modules = Set(package.matches(of: path).compactMap { $0[1].substring.map { "/" + $0 } })
        let folders = Set(lines.keys.map { String($0[..<($0.lastIndex(of: "/") ?? $0.endIndex)]) })
        for folder in folders.subtracting(modules).sorted() {
            let entries = try FileManager.default.contentsOfDirectory(
                at: RepositoryFiles.root.appending(path: folder), includingPropertiesForKeys: nil)
            let files = entries.filter { !$0.hasDirectoryPath }
            #expect(files.count >= 5, "\(folder)")
        }
    }
}
