import Foundation
import Testing

/// Checks that files are small enough to cover a single concept, and that files and folders are not needlessly small.
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

    @Test("half of the files have at least 80 lines, and nine in ten at most 300")
    func typicalFiles() {
        let sorted = lines.values.sorted()
        #expect(sorted[sorted.count / 2] >= 80)
        #expect(sorted[sorted.count * 9 / 10] <= 300)
    }

    @Test("no file has more than 500 lines")
    func largeFiles() {
        #expect(lines.filter { $0.value > 500 }.keys.sorted() == [])
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
