package import Foundation

/// The shared test data outside the repository: `$BOOKSTRACK_TEST_DATA`, or `../shared/data` relative to the package.
///
/// Tests that need the data have the trait `.enabled(if: TestData.isExpected, TestData.absence)`: without the data, they
/// are skipped with a visible message, but in CI they run and fail.
package enum TestData {
    /// Shown for a skipped test.
    package static let absence = "the shared test data is missing; set BOOKSTRACK_TEST_DATA"

    /// The data folder, whether it exists or not.
    package static var root: URL {
        if let path = ProcessInfo.processInfo.environment["BOOKSTRACK_TEST_DATA"] {
            return URL(filePath: path, directoryHint: .isDirectory)
        }
        return URL(filePath: #filePath).appending(path: "../../../../shared/data").standardizedFileURL
    }

    /// Whether a test that needs the data must run: the data is present, or this is CI.
    package static var isExpected: Bool {
        FileManager.default.fileExists(atPath: root.path) || ProcessInfo.processInfo.environment["CI"] != nil
    }

    /// The bytes of a file, for example `isbn_vectors/valid_isbn13.txt`.
    package static func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: root.appending(path: path))
    }

    /// The lines of a UTF-8 file, without empty ones.
    package static func lines(_ path: String) throws -> [String] {
        String(decoding: try bytes(path), as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }
}

extension TestData {
    /// An Open Library response with `jscmd=details` to a request for the edition `OL1M`, which contains this record.
    package static func detailsResponse(with edition: some Sequence<UInt8>) -> [UInt8] {
        Array(#"{"OLID:OL1M":{"details":"#.utf8) + edition + Array("}}".utf8)
    }
}
