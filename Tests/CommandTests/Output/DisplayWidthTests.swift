import Testing

@testable import BookstrackCLI

@Suite("Widths on a terminal")
struct DisplayWidthTests {
    @Test(
        "wide characters take two columns, combining marks none",
        arguments: [
            ("Dune", 4), ("三体", 4), ("ノルウェイの森", 14), ("é", 1), ("e\u{301}", 1), ("한국", 4), ("📚", 2), ("", 0),
            ("ﾊﾛｰ", 3),
        ])
    func width(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test("a cut never splits a wide character and never exceeds the columns")
    func fit() {
        #expect(DisplayWidth.fit("ノルウェイの森", 6) == "ノル…")
        #expect(DisplayWidth.fit("ノルウェイの森", 7) == "ノルウ…")
        #expect(DisplayWidth.fit("Dune", 4) == "Dune")
        #expect(DisplayWidth.fit("Dune", 0) == "")
        #expect(DisplayWidth.pad("三体", 6) == "三体  ")
    }
}
