import Testing

@testable import Observability

@Suite("Redacting secrets")
struct RedactionTests {
    @Test(
        "secrets are removed wherever they occur",
        arguments: [
            ("/ws/progress?jobId=J&token=abc.def&since=3", "/ws/progress?jobId=J&token=REDACTED&since=3"),
            ("https://x/y?key=AIza&q=1", "https://x/y?key=REDACTED&q=1"),
            (#"{"token":"abc","jobId":"J"}"#, #"{"token":"REDACTED","jobId":"J"}"#),
            (#"{"authToken" : "abc"}"#, #"{"authToken" : "REDACTED"}"#),
            ("Authorization: Bearer abc.def", "Authorization: REDACTED"),
            ("sent Bearer abc to it", "sent Bearer REDACTED to it"),
            ("url=%2Fx%3Ftoken%3Dabc%26y%3D1", "url=%2Fx%3Ftoken%3DREDACTED%26y%3D1"),
            ("X-API-KEY: abc", "X-API-KEY: REDACTED"),
            (#"{"csrf":"abc"}"#, #"{"csrf":"REDACTED"}"#),
            ("/v1/events?job=J1:abc&job=J2:d.e&since=J1=3", "/v1/events?job=J1:REDACTED&job=J2:REDACTED&since=J1=3"),
            ("/v1/events?job=J1%3Aabc&job=J2", "/v1/events?job=J1%3AREDACTED&job=J2"),
            ("job=job=J1&job=job=J2:abc", "job=job=J1&job=job=J2:REDACTED"),
            (#"{"job":"J1","token":"abc"}"#, #"{"job":"J1","token":"REDACTED"}"#),
            ("a=1&token=abc", "a=1&token=REDACTED"),
            ("/a?token=abc&to%6ben=def", "/a?token=REDACTED&to%6ben=REDACTED"),
            ("/ws/progress?jobId=J&to%6ben=abc", "/ws/progress?jobId=J&to%6ben=REDACTED"),
            (#"token: Optional("abc")"#, #"token: Optional("REDACTED")"#),
            (#"{\"token\":\"abc\"}"#, #"{\"token\":\"REDACTED\"}"#),
            (#"'token': 'abc', "b": 1"#, #"'token': 'REDACTED', "b": 1"#),
            (#"{"token":["abc"]}"#, #"{"token":["REDACTED"]}"#),
            ("/a?token[]=abc&x=1", "/a?token[]=REDACTED&x=1"),
            ("/a?token%5B%5D=abc&token%5b0%5d=def", "/a?token%5B%5D=REDACTED&token%5b0%5d=REDACTED"),
            ("/a?jwt=abc&sig=def&signature=ghi", "/a?jwt=REDACTED&sig=REDACTED&signature=REDACTED"),
            ("at http://me:pass@host/a@b", "at http://REDACTED@host/a@b"),
            ("http://me:p@ss@host", "http://REDACTED@host"),
            (
                "/images/proxy?url=http%3A%2F%2Fme%3Apass%40host%2Fa&size=1",
                "/images/proxy?url=http%3A%2F%2FREDACTED%40host%2Fa&size=1"
            ),
            ("token:  abc and Bearer  abc", "token:  REDACTED and Bearer  REDACTED"),
        ])
    func texts(text: String, shown: String) { #expect(Redaction.text(text) == shown) }

    @Test(
        "a secret's name is recognized however it is percent-encoded and whatever surrounds it",
        arguments: [
            ("?x=%ff&%74oken=TOKEN", "?x=%ff&%74oken=REDACTED"), ("?%74oken=TOKEN&x=%", "?%74oken=REDACTED&x=%"),
            ("?x=%zz&tok%65n=TOKEN&y=%1", "?x=%zz&tok%65n=REDACTED&y=%1"),
            ("?%C3%28&%74%6F%6b%65%6E=TOKEN", "?%C3%28&%74%6F%6b%65%6E=REDACTED"),
            ("?%54OKEN=TOKEN&x=\u{FC}", "?%54OKEN=REDACTED&x=\u{FC}"), ("?ToK%45n=TOKEN", "?ToK%45n=REDACTED"),
            ("?%2574oken=TOKEN", "?%2574oken=REDACTED"), ("?%252574oken=%ff%54", "?%252574oken=REDACTED"),
            ("?u=%252Fws%253Ftoken%253DTOKEN%2526x%253D1", "?u=%252Fws%253Ftoken%253DREDACTED%2526x%253D1"),
            ("?token=%ff%54OKEN&x=1", "?token=REDACTED&x=1"), ("?token%3DTOKEN", "?token%3DREDACTED"),
            ("?x=%ff%26token=TOKEN", "?x=%ff%26token=REDACTED"), ("?%ff%74oken=TOKEN", "?%ff%74oken=REDACTED"),
        ])
    func escapes(text: String, shown: String) { #expect(Redaction.text(text) == shown) }

    @Test("deeply nested escapes are processed quickly, and later secrets are still found")
    func deep() {
        let text = "?" + String(repeating: "%25", count: 3_000) + "74oken=TOKEN&token=TOKEN"
        #expect(Redaction.text(text).hasSuffix("&token=REDACTED"))
    }

    /// A scanner that searched the rest of the text at each name would need minutes.
    @Test(
        "a long text of nested names of pairs is processed quickly, and later secrets are still found",
        .timeLimit(.minutes(1)))
    func nestedPairs() {
        let names = String(repeating: "job=", count: 32_768)
        #expect(Redaction.text(names + "J1&job=J2:SECRET") == names + "J1&job=J2:REDACTED")
    }

    @Test(
        "text that is not a secret is unchanged",
        arguments: [
            "", "plain", "/v1/search/title?q=the+secret+garden", "tokens=3", "monkey=5", "a token expired", "key",
            "token=", "design=5", "http://host/a?mail=me@host", "http://host, mail me@host", "token[x",
            "Ünïcode: yes", "bearer", "job=job=J1&x=a:b",
        ])
    func untouched(text: String) { #expect(Redaction.text(text) == text) }

    @Test(
        "the value of a secret header field is hidden",
        arguments: ["Authorization", "cookie", "X-Api-Key", "X-Auth-Token", "X-Console-CSRF"])
    func fields(name: String) { #expect(Redaction.value(ofField: name, "abc") == Redaction.mark) }

    @Test("the values of other header fields are searched for secrets")
    func referer() {
        #expect(Redaction.value(ofField: "referer", "https://a/?token=x") == "https://a/?token=REDACTED")
    }
}
