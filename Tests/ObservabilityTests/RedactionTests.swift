import Testing

@testable import Observability

@Suite("Redaction")
struct RedactionTests {
    @Test(
        "takes secrets out wherever they stand",
        arguments: [
            ("/ws/progress?jobId=J&token=abc.def&since=3", "/ws/progress?jobId=J&token=REDACTED&since=3"),
            ("https://x/y?key=AIza&q=1", "https://x/y?key=REDACTED&q=1"),
            (#"{"token":"abc","jobId":"J"}"#, #"{"token":"REDACTED","jobId":"J"}"#),
            (#"{"authToken" : "abc"}"#, #"{"authToken" : "REDACTED"}"#),
            ("Authorization: Bearer abc.def", "Authorization: REDACTED"),
            ("sent Bearer abc to it", "sent Bearer REDACTED to it"),
            ("url=%2Fx%3Ftoken%3Dabc%26y%3D1", "url=%2Fx%3Ftoken%3DREDACTED%26y%3D1"),
            ("X-API-KEY: abc", "X-API-KEY: REDACTED"),
            ("a=1&token=abc", "a=1&token=REDACTED"),
            ("/a?token=abc&to%6ben=def", "/a?token=REDACTED&token=REDACTED"),
            ("/ws/progress?jobId=J&to%6ben=abc", "/ws/progress?jobId=J&token=REDACTED"),
            (#"token: Optional("abc")"#, #"token: Optional("REDACTED")"#),
            (#"{\"token\":\"abc\"}"#, #"{\"token\":\"REDACTED\"}"#),
            (#"'token': 'abc', "b": 1"#, #"'token': 'REDACTED', "b": 1"#),
            (#"{"token":["abc"]}"#, #"{"token":["REDACTED"]}"#),
            ("/a?token[]=abc&x=1", "/a?token[]=REDACTED&x=1"),
            ("/a?token%5B%5D=abc&token%5b0%5d=def", "/a?token[]=REDACTED&token[0]=REDACTED"),
            ("/a?jwt=abc&sig=def&signature=ghi", "/a?jwt=REDACTED&sig=REDACTED&signature=REDACTED"),
            ("at http://me:pass@host/a@b", "at http://REDACTED@host/a@b"),
            ("http://me:p@ss@host", "http://REDACTED@host"),
            (
                "/images/proxy?url=http%3A%2F%2Fme%3Apass%40host%2Fa&size=1",
                "/images/proxy?url=http://REDACTED@host/a&size=1"
            ),
            ("token:  abc and Bearer  abc", "token:  REDACTED and Bearer  REDACTED"),
        ])
    func texts(text: String, shown: String) { #expect(Redaction.text(text) == shown) }

    @Test(
        "leaves everything else as it is",
        arguments: [
            "", "plain", "/v1/search/title?q=the+secret+garden", "tokens=3", "monkey=5", "a token expired", "key",
            "token=", "design=5", "http://host/a?mail=me@host", "http://host, mail me@host", "token[x",
            "Ünïcode: yes", "bearer",
        ])
    func untouched(text: String) { #expect(Redaction.text(text) == text) }

    @Test(
        "shows no value of a secret header field", arguments: ["Authorization", "cookie", "X-Api-Key", "X-Auth-Token"])
    func fields(name: String) { #expect(Redaction.value(ofField: name, "abc") == Redaction.mark) }

    @Test("looks into the values of other header fields")
    func referer() {
        #expect(Redaction.value(ofField: "referer", "https://a/?token=x") == "https://a/?token=REDACTED")
    }
}
