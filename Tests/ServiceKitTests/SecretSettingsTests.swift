import ServiceKit
import Testing

@Suite("Secret settings")
struct SecretSettingsTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    @Test("a secret is read from the file specified by its _FILE variable, without the trailing line break")
    func secretFile() throws {
        let file = try scratch.file("key", "s3cret\n")
        let settings = try Settings.load(
            arguments: [], environment: ["BOOKSTRACK_GOOGLE_BOOKS_API_KEY_FILE": file])
        #expect(settings[.googleBooksKey]?.exposed == "s3cret")
        #expect(settings.effective.first { $0.name == "BOOKSTRACK_GOOGLE_BOOKS_API_KEY" }?.source == .secretFile(file))
    }

    @Test("a secret file with two lines is rejected, and its lines are not shown")
    func twoLines() throws {
        let file = try scratch.file("key", "s3cret\nmore\n")
        let name = "BOOKSTRACK_ISBNDB_API_KEY"
        #expect(
            throws: SettingsError.badValue(
                name: name, shown: "********", source: .secretFile(file),
                problem: "must be one line without control characters")
        ) { try Settings.load(arguments: [], environment: [name + "_FILE": file]) }
    }

    @Test("a secret file that contains no secret counts as absent", arguments: ["", " \n", nil])
    func emptySecretFile(content: String?) throws {
        let file = try content.map { try scratch.file("key", $0) } ?? "/dev/null"
        let name = "BOOKSTRACK_ISBNDB_API_KEY"
        let unset = try Settings.load(arguments: [], environment: [name + "_FILE": file])
        #expect(unset[.isbndbKey] == nil)
        let direct = try Settings.load(arguments: [], environment: [name: "s3cret", name + "_FILE": file])
        #expect(direct[.isbndbKey]?.exposed == "s3cret")
    }

    @Test("a secret specified twice or a missing secret file is an error that does not show the secret")
    func refusals() throws {
        let name = "BOOKSTRACK_ISBNDB_API_KEY"
        let file = try scratch.file("key", "s3cret")
        #expect(throws: SettingsError.secretGivenTwice(name: name)) {
            try Settings.load(arguments: [], environment: [name: "a", name + "_FILE": file])
        }
        #expect(
            throws: SettingsError.unreadableFile(path: "/nowhere", reason: "it should contain the value of \(name)")
        ) {
            try Settings.load(arguments: [], environment: [name + "_FILE": "/nowhere"])
        }
    }

    @Test("a secret file of more than 64 KiB is refused, instead of using only its start")
    func longFile() throws {
        let name = "BOOKSTRACK_ISBNDB_API_KEY"
        let whole = try scratch.file("whole", String(repeating: "k", count: 65_536))
        #expect(
            try Settings.load(arguments: [], environment: [name + "_FILE": whole])[.isbndbKey]?.exposed.count == 65_536)
        let long = try scratch.file("long", String(repeating: "k", count: 65_537))
        #expect(
            throws: SettingsError.unreadableFile(path: long, reason: "it is larger than 64 KiB, too large for \(name)")
        ) { try Settings.load(arguments: [], environment: [name + "_FILE": long]) }
    }

    @Test("a secret appears neither in the list of settings nor in the value's own description")
    func masked() throws {
        let settings = try Settings.load(
            arguments: ["--google-books-api-key", "hunter2"], environment: ["BOOKSTRACK_ISBNDB_API_KEY": "hunter2"])
        #expect(settings[.googleBooksKey]?.exposed == "hunter2")
        #expect(!"\(settings) \(String(reflecting: settings)) \(settings.effective)".contains("hunter2"))
        #expect(settings.effective.first { $0.name == "BOOKSTRACK_GOOGLE_BOOKS_API_KEY" }?.value == "********")
        let secret = settings[.isbndbKey]
        #expect(!"\(String(describing: secret)) \(String(reflecting: secret))".contains("hunter2"))
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }
}
