import JSON
import NIOCore
import Testing

/// The text that a writer composes from brackets, names and values, byte for byte.
@Suite("Writing JSON")
struct JSONWriterTests {
    private func text(_ build: (inout JSONWriter) throws -> Void) rethrows -> String {
        var writer = JSONWriter()
        try build(&writer)
        return String(buffer: writer.buffer)
    }

    @Test("members are separated by commas and keep the order in which they are written")
    func members() {
        let text = text { writer in
            writer.openObject()
            writer.beginMember("b", at: 1)
            writer.write("x")
            writer.beginMember("a", at: 1)
            writer.write(-7)
            writer.beginMember("c", at: 1)
            writer.write("true" as StaticString)
            writer.close(to: 0)
        }
        #expect(text == #"{"b":"x","a":-7,"c":true}"#)
    }

    @Test("the next member of an outer object closes the inner brackets")
    func nesting() {
        let text = text { writer in
            writer.openObject()
            writer.beginMember("a", at: 1)
            writer.openArray()
            writer.beginNext(at: 2)
            writer.openObject()
            writer.beginMember("b", at: 3)
            writer.write(1)
            writer.beginNext(at: 2)
            writer.write(2)
            writer.beginMember("c", at: 1)
            writer.openObject()
            writer.close(to: 0)
        }
        #expect(text == #"{"a":[{"b":1},2],"c":{}}"#)
    }

    @Test("empty brackets remain empty")
    func empty() {
        let array = text { writer in
            writer.openArray()
            writer.close(to: 0)
        }
        #expect(array == "[]")
        let object = text { writer in
            writer.openObject()
            writer.close(to: 0)
        }
        #expect(object == "{}")
    }

    @Test("the depth is the number of open brackets")
    func depth() {
        var writer = JSONWriter()
        #expect(writer.depth == 0)
        writer.openArray()
        writer.beginNext(at: 1)
        writer.openArray()
        #expect(writer.depth == 2)
        writer.close(to: 1)
        #expect(writer.depth == 1)
        writer.close(to: 1)
        #expect(writer.depth == 1)
        writer.close(to: 0)
        #expect(writer.depth == 0)
    }

    @Test("a name is escaped like any other string")
    func names() {
        let text = text { writer in
            writer.openObject()
            writer.beginMember("a\"b\n", at: 1)
            writer.write(0)
            writer.close(to: 0)
        }
        #expect(text == #"{"a\"b\u000a":0}"#)
    }

    @Test(
        "floating-point numbers are written with only the digits they need",
        arguments: [
            (0.0, "0"), (1.0, "1"), (-3.0, "-3"), (0.5, "0.5"), (0.1, "0.1"), (4.25, "4.25"), (1e21, "1e+21"),
            (1.5e-7, "1.5e-07"), (100_000, "100000"), (0.30000000000000004, "0.30000000000000004"),
        ])
    func numbers(number: Double, expected: String) throws {
        #expect(try text { try $0.write(number) } == expected)
    }

    @Test(
        "a single-precision number is written with only the digits that its precision needs",
        arguments: [(Float(0.1), "0.1"), (0.92, "0.92")])
    func singles(number: Float, expected: String) throws {
        #expect(try text { try $0.write(number) } == expected)
    }

    @Test(
        "a number that JSON cannot represent is rejected, and nothing is written",
        arguments: [Double.infinity, -.infinity, .nan])
    func infinite(number: Double) {
        var writer = JSONWriter()
        #expect(throws: EncodingError.self) { try writer.write(number) }
        #expect(writer.buffer.readableBytes == 0)
    }

    @Test(
        "the smallest and largest integers are written in full",
        arguments: [(Int64.max, "9223372036854775807"), (Int64.min, "-9223372036854775808"), (0, "0")])
    func integers(number: Int64, expected: String) {
        #expect(text { $0.write(number) } == expected)
        #expect(text { $0.write(UInt64.max) } == "18446744073709551615")
    }
}
