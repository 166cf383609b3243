import Foundation
import Testing

/// Checks that tests of large modules use the façades listed in Tests/README.md, so that renaming an internal type changes few test files.
@Suite("Test façades")
struct FacadeTests {
    /// The maximum number of test files that may use an internal type outside the module's façade.
    private static let limit = 5

    /// A module with more than ten test files.
    struct Module: CustomTestStringConvertible {
        /// Path of its test target, for example "Tests/WorkerTests".
        var tests: String
        /// Path of its sources, for example "Services/EnrichmentWorker/Worker".
        var sources: String
        /// The internal types that any number of test files may use.
        var facade: Set<String>

        var testDescription: String { tests }
    }

    /// The modules with more than ten test files, from Package.swift and the table under "Façades".
    static func modules() throws -> [Module] {
        let readme = try text("Tests/README.md")
        let row = try Regex(#"(?m)^\| `(Tests/\w+)` \|.*\| (.*) \|$"#, as: (Substring, Substring, Substring).self)
        let facades = Dictionary(
            readme.matches(of: row).map { ($0.output.1, words(String($0.output.2))) }, uniquingKeysWith: { $1 })
        let path = try Regex(#"path: "([A-Za-z/]+)""#, as: (Substring, Substring).self)
        let folders = try text("Package.swift").matches(of: path).map { String($0.output.1) }
        return folders.filter { $0.hasPrefix("Tests/") && $0.hasSuffix("Tests") }.compactMap { tests in
            let name = tests.dropFirst("Tests/".count).dropLast("Tests".count)
            guard files(in: tests).count > 10,
                let sources = folders.first(where: { !$0.hasPrefix("Tests/") && $0.hasSuffix("/\(name)") })
            else { return nil }
            return Module(tests: tests, sources: sources, facade: facades[tests[...]] ?? [])
        }
    }

    @Test("the modules with more than ten test files include those of the services")
    func found() throws {
        let tests = Set(try Self.modules().map(\.tests))
        #expect(tests.isSuperset(of: ["Tests/APIProxyTests", "Tests/ProgressHostTests", "Tests/WorkerTests"]))
    }

    @Test(
        "a module's façade consists of the internal types that more than five of its test files use",
        arguments: try modules())
    func internals(module: Module) throws {
        let types = try Self.internalTypes(of: module.sources)
        var files: [String: Int] = [:]
        for file in Self.files(in: module.tests) where !file.path.contains("/Support/") {
            let named = Self.words(Self.code(try String(contentsOf: file, encoding: .utf8)))
            for type in named.intersection(types) { files[type, default: 0] += 1 }
        }
        let often = Set(files.filter { $0.value > Self.limit }.keys)
        #expect(often.subtracting(module.facade).sorted() == [])
        #expect(module.facade.subtracting(often).sorted() == [], "listed in Tests/README.md unnecessarily")
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: RepositoryFiles.root.appending(path: path), encoding: .utf8)
    }

    private static let sources = RepositoryFiles.sources()

    private static func files(in folder: String) -> [URL] {
        sources.filter { RepositoryFiles.name($0).hasPrefix("/\(folder)/") }
    }

    /// The types that are visible only to the module and its tests.
    private static func internalTypes(of folder: String) throws -> Set<String> {
        let type = try Regex(
            #"(?m)^(?:(?:final|indirect|@\w+(?:\(\w+\))?) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)"#,
            as: (Substring, Substring).self)
        return try files(in: folder).reduce(into: []) { types, file in
            types.formUnion(try String(contentsOf: file, encoding: .utf8).matches(of: type).map { String($0.output.1) })
        }
    }

    /// The source without comments and string literals.
    private static func code(_ source: String) -> String {
        source.replacing(/"[^"\n]*"/, with: "").replacing(/\/\/[^\n]*/, with: "")
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.matches(of: /\b[A-Z]\w+/).map { String($0.output) })
    }
}
