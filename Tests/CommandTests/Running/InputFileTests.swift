import BookstrackClient
import BookstrackContract
import Foundation
import Testing

@testable import BookstrackCLI

@Suite("Files that commands read")
struct InputFileTests {
    /// Runs `body` with the path of a pipe that contains `text`.
    private func withPipe<Value>(_ text: String, _ body: (String) throws -> Value) throws -> Value {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        defer { withExtendedLifetime(pipe) {} }
        return try body("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    }

    @Test("a pipe that a shell passes for <(…) is read to its end")
    func pipe() throws {
        let text = String(repeating: "9780441172719\n", count: 1_000)
        let input = try withPipe(text) { try InputFile(argument: $0) }
        #expect(input.bytes == Data(text.utf8))
        #expect(!input.isRegular)
    }

    @Test("import, enrich and scan read pipes")
    func commands() throws {
        let file = try withPipe("Title\nDune\n") { try LibraryFile(argument: $0) }
        #expect(file.name == "library.csv")
        #expect(file.content == Data("Title\nDune\n".utf8))
        let books = try withPipe("9780441172719\n") { try BookList(arguments: [$0]).books }
        #expect(books.map(\.isbn) == ["9780441172719"])
        let failure = #expect(throws: CommandFailure.self) {
            try withPipe("Title") { try PhotoUpload(files: [$0]) }
        }
        #expect(failure?.message.contains("is not a photo") == true)
    }

    @Test("a regular file is read to its end and recognized as regular")
    func file() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "input-\(UUID().uuidString)").path
        try Data("Title".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let input = try InputFile(argument: path)
        #expect(input.bytes == Data("Title".utf8))
        #expect(input.isRegular)
        #expect(try InputFile.ifPresent(path)?.bytes == Data("Title".utf8))
    }

    @Test("a directory is reported as bad input, and a missing file as no input")
    func refused() throws {
        let folder = FileManager.default.temporaryDirectory.path
        #expect(throws: CommandFailure(.badInput, "\(folder) is a directory")) { try InputFile(argument: folder) }
        #expect(throws: CommandFailure(.noInput, "cannot read /nowhere.csv: No such file or directory")) {
            try InputFile(argument: "/nowhere.csv")
        }
        #expect(try InputFile.ifPresent("/nowhere.csv") == nil)
    }

    @Test("a file whose path cannot be followed is not reported as missing")
    func unreachable() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "input-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let loop = folder.appending(path: "loop").path
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let reason = "cannot read \(loop): Too many levels of symbolic links"
        #expect(throws: CommandFailure(.noInput, reason)) { try BookList(arguments: [loop]) }
        for missing in [folder.appending(path: "missing").path, String(repeating: "x", count: 300)] {
            #expect(throws: CommandFailure(.noInput, "\"\(missing)\" is neither a file nor an ISBN")) {
                try BookList(arguments: [missing])
            }
        }
        #expect(try BookList(arguments: ["9780441172719"]).books == [BookQuery(isbn: "9780441172719")])
    }
}
