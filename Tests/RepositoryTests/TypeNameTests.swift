import Foundation
import Testing

/// Checks that a type's name means one thing in the whole repository, so that a search for it finds a single declaration.
@Suite("Names of types")
struct TypeNameTests {
    /// Names that may be declared twice. `EmbeddedTable` means the same in two modules that share no other module.
    private static let exceptions: Set = ["EmbeddedTable"]

    @Test("each type in Services and Shared has a name of its own, unless it is private or nested in another type")
    func names() throws {
        var files: [String: [String]] = [:]
        for file in RepositoryFiles.sources() {
            let name = RepositoryFiles.name(file)
            guard name.hasPrefix("/Services/") || name.hasPrefix("/Shared/") else { continue }
            for type in try Self.types(in: String(contentsOf: file, encoding: .utf8)) {
                files[type, default: []].append(name)
            }
        }
        #expect(files.count > 1_000)
        for (type, places) in files.sorted(by: { $0.key < $1.key }) where !Self.exceptions.contains(type) {
            #expect(places.count == 1, "\(type): \(places)")
        }
    }

    @Test("types of every kind are found, also under conditions; private and nested ones are not")
    func found() throws {
        let source = """
            /// struct InComment
            @MainActor public final class Model {
                struct Nested {}
                #if DEBUG
                    enum NestedConditionally {}
                #endif
            }
            package protocol Source {}
            private struct Hidden {}
            fileprivate actor Concealed {}
            typealias Reply<Value> = (Value) -> Void
            #if os(Linux)
                struct OnLinux {
                    enum Inner {}
                }
            #else
                indirect enum Elsewhere {}
            #endif
            extension Model {}
            actor Last {}
            """
        #expect(try Self.types(in: source) == ["Model", "Source", "Reply", "OnLinux", "Elsewhere", "Last"])
    }

    /// The names of a file's types that are neither private nor nested. Each enclosing `#if` indents a declaration by four columns.
    private static func types(in source: String) throws -> Set<String> {
        let type = try Regex(
            #"^(?:@\w+(?:\([^)]*\))? )*((?:[a-z]+ )*)(?:struct|class|enum|actor|protocol|typealias) (\w+)"#,
            as: (Substring, Substring, Substring).self)
        var found: Set<String> = []
        var conditions = 0
        for line in source.split(separator: "\n") {
            let indentation = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
            let code = line.dropFirst(indentation)
            if code.hasPrefix("#endif"), indentation == 4 * (conditions - 1) { conditions -= 1 }
            guard indentation == 4 * conditions else { continue }
            if code.hasPrefix("#if") {
                conditions += 1
            } else if let match = code.firstMatch(of: type), !match.output.1.contains("private") {
                found.insert(String(match.output.2))
            }
        }
        return found
    }
}
