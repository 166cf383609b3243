import Testing
@testable import APIProxy

@Suite("Form part headers") struct PartHeaderTests {
    private func header(_ disposition: String) throws -> PartHeader {
        try PartHeader(Array("Content-Type: text/csv\r\nCONTENT-Disposition: \(disposition)\r\n".utf8))
    }

    @Test(
        "names are parsed in every form that senders write, even with an unclosed quote or an unreadable encoding",
        arguments: [
            (#"form-data; name="file"; filename="a.csv""#, "a.csv"),
            (#"form-data; name=file; filename=a.csv"#, "a.csv"),
            (#"form-data;filename="a;b=\"c\".csv" ; name="file""#, #"a;b="c".csv"#),
            (#"form-data; name="file"; filename="C:\temp\naïve.csv""#, #"C:\temp\naïve.csv"#),
            (#"form-data; name="file"; filename="100%22%0D%41.csv""#, "100\"\r%41.csv"),
            (#"form-data; name="file"; filename="x.csv"; filename*=UTF-8''%E2%82%AC%20rates.csv"#, "€ rates.csv"),
            (#"form-data; name="file"; filename*=iso-8859-1'en'%A3.csv"#, "£.csv"),
            (#"form-data; name="file"; filename="x.csv"; filename*=utf-8''%zz"#, "x.csv"),
            (#"form-data; name="file"; filename="x.csv"; filename*=koi8-r''a"#, "x.csv"),
            (#"form-data; name="file"; filename="first"; filename="second""#, "first"),
            (#"form-data; name="file"; filename="never closed"#, "never closed"),
        ])
    func names(disposition: String, fileName: String) throws {
        let header = try header(disposition)
        #expect(header.name == "file")
        #expect(header.fileName == fileName)
    }

    @Test("a name that is not UTF-8 is read as Latin-1")
    func latin() throws {
        let bytes =
            Array(#"Content-Disposition: form-data; name="file"; filename="na"#.utf8) + [0xEF] + Array("ve\"\r\n".utf8)
        #expect(try PartHeader(bytes).fileName == "naïve")
    }

    @Test(
        "a part whose content is encoded is refused, and one that is declared to be sent as it is accepted",
        arguments: [("Base64", false), ("quoted-printable", false), ("binary", true), ("8BIT", true), ("7bit", true)])
    func transferEncoding(encoding: String, isAccepted: Bool) {
        let fields = "Content-Disposition: form-data; name=photo\r\nContent-Transfer-Encoding: \(encoding)\r\n"
        let header = try? PartHeader(Array(fields.utf8))
        #expect(header == (isAccepted ? PartHeader(name: "photo") : nil))
    }

    @Test("a part that is not a file has no file name, and a part header may have no name at all")
    func absent() throws {
        #expect(try header(#"form-data; name="jobId""#) == PartHeader(name: "jobId"))
        #expect(try header("form-data") == PartHeader(name: nil))
        #expect(try PartHeader([]) == PartHeader(name: nil))
    }

    @Test(
        "the displayed name is the last path component without invisible characters, truncated to 200 characters",
        arguments: [
            ("../../etc/passwd", "passwd"), (#"C:\Users\me\books.csv"#, "books.csv"), ("a\0b\u{1}.csv", "ab.csv"),
            ("gpj.\u{202E}vsc", "gpj.vsc"), ("  x.csv \r\n", "x.csv"), ("/", nil), ("..", nil), ("", nil), ("\0", nil),
            (String(repeating: "ü", count: 4_096), String(repeating: "ü", count: 200)),
        ] as [(String, String?)])
    func shown(sent: String, shown: String?) {
        #expect(ShownFileName.shown(sent) == shown)
    }
}
