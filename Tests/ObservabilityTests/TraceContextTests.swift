import Foundation
import Testing
@testable import Observability

@Suite("Trace contexts")
struct TraceContextTests {
    @Test("a context continues the caller's trace and request identifier")
    func goesOn() {
        let context = TraceContext(
            traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", requestID: "import-7")
        #expect(context.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(context.requestID == "import-7")
    }

    @Test("a context uses the trace identifier if the caller sends no request identifier")
    func unnamed() {
        let context = TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        #expect(context.requestID == "4bf92f3577b34da6a3ce929d0e0e4736")
    }

    @Test(
        "a new context is generated if the caller's is invalid",
        arguments: [
            "", "00", "00-0-0-0", "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-extra",
            "00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b7-01",
        ])
    func insane(traceparent: String) {
        let context = TraceContext(traceparent: traceparent)
        #expect(context.traceID.utf8.count == 32)
        #expect(!traceparent.contains(context.traceID))
    }

    @Test("a later version's traceparent with additional fields is accepted")
    func laterVersion() {
        let context = TraceContext(traceparent: "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-new")
        #expect(context.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
    }

    @Test(
        "a request identifier that is empty, too long, or contains white space or non-ASCII characters is replaced",
        arguments: ["", "a b", "a\nb", "ü"])
    func brokenRequestID(text: String) {
        #expect(TraceContext(requestID: text).requestID != text)
        #expect(TraceContext(requestID: String(repeating: "x", count: 129)).requestID.utf8.count == 32)
    }

    @Test("a traceparent continues its context, and each one has a new parent")
    func traceparent() {
        let context = TraceContext(requestID: "import-7")
        #expect(TraceContext(traceparent: context.traceparent, requestID: "import-7") == context)
        #expect(context.traceparent != context.traceparent)
    }
}

@Suite("Times in milliseconds")
struct DateTests {
    @Test(
        "times are rounded down to whole milliseconds, even before 1970",
        arguments: [(1.9994, 1_999), (-0.0015, -2), (0, 0)])
    func whole(seconds: Double, milliseconds: Int64) {
        #expect(Date(timeIntervalSince1970: seconds).millisecondsSince1970 == milliseconds)
    }
}
