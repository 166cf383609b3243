import NIOHTTP1

/// RFC 9112 §3.2: an HTTP/1.1 request has exactly one valid `Host`; an older one at most one.
enum HostRule {
    /// Why the head breaks the rule; nil when it does not.
    static func fault(of head: HTTPRequestHead) -> String? {
        let hosts = head.headers["Host"]
        switch hosts.count {
        case 0: return head.version == .http1_1 ? "Host is missing" : nil
        case 1: return hosts[0].utf8.allSatisfy(isAllowed) ? nil : "Host is not valid"
        default: return "Host is repeated"
        }
    }

    /// Bytes of `uri-host [ ":" port ]` (RFC 3986 §3.2.2).
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-._~!$&'()*+,;=%:[]".utf8.contains(byte)
        }
    }
}
