import Testing

@testable import APIProxy

@Suite("Query items") struct QueryItemsTests {
    @Test(
        "a query item is decoded by the rules for HTML forms",
        arguments: [
            ("/?q=a+b", "a b"), ("/?q=a%20b", "a b"), ("/?q=a%2Bb", "a+b"), ("/?q=%E9%8A%80", "銀"), ("/?q=", ""),
            ("/?q", ""),
            ("/?q=a=b=c", "a=b=c"), ("/?q=a%26b", "a&b"), ("/?a=1&q=2&q=3", "2"), ("/?%71=x", "x"), ("/?q=a?b", "a?b"),
            ("/?&&q=1&", "1"),
        ])
    func items(uri: String, value: String) {
        #expect(QueryItems(uri: uri)["q"] == value)
    }

    @Test(
        "an invalid percent escape is left unchanged, and does not affect the valid ones",
        arguments: [
            ("/?q=100%", "100%"), ("/?q=%zz", "%zz"), ("/?q=%ff", "%ff"), ("/?q=100%%20wolf", "100% wolf"),
            ("/?q=100%25+wolf+%", "100% wolf %"),
        ])
    func broken(uri: String, value: String) {
        #expect(QueryItems(uri: uri)["q"] == value)
    }

    @Test(
        "an absent query item is nil, and a fragment is not part of the query",
        arguments: [
            "/", "/?", "/?p=1", "/?Q=1", "/q=1", "/?p=1#&q=2",
        ])
    func absent(uri: String) {
        #expect(QueryItems(uri: uri)["q"] == nil)
    }

    @Test(
        "several query items with the same name are returned in order, up to a limit",
        arguments: [
            (1, ["a"]), (2, ["a", ""]), (9, ["a", "", "c d"]),
        ])
    func several(limit: Int, values: [String]) {
        #expect(QueryItems(uri: "/?job=a&x=1&job=&job=c+d").values(of: "job", atMost: limit) == values)
    }
}

@Suite("Tokens in header fields") struct BearerTokenTests {
    @Test(
        "a bearer token is read regardless of the case of its scheme",
        arguments: [
            ("Bearer abc", "abc"), ("bearer abc", "abc"), ("BEARER   abc", "abc"), (" Bearer abc ", "abc"),
            ("Bearer a.b-c_d~e+f/g=", "a.b-c_d~e+f/g="),
        ])
    func read(field: String, token: String) {
        #expect(BearerToken.read(field) == token)
    }

    @Test(
        "a value in any form other than Bearer TOKEN contains no token",
        arguments: [nil, "", "Bearer", "Bearer ", "abc", "Basic abc", "Bearer a b", "Bearerabc"])
    func other(field: String?) {
        #expect(BearerToken.read(field) == nil)
    }
}
