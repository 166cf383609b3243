import Foundation
import Testing

@testable import BookstrackCLI

@Suite("Standard streams")
struct StandardStreamsTests {
    @Test("output that is longer than a pipe holds is written completely")
    func whole() async throws {
        let pipe = Pipe()
        let text = String(repeating: "0123456789", count: 50_000)
        async let read = pipe.fileHandleForReading.readToEnd()
        #expect(StandardStreams.write(text, to: pipe.fileHandleForWriting.fileDescriptor) == nil)
        try pipe.fileHandleForWriting.close()
        #expect(try await read == Data(text.utf8))
    }

    @Test("a closed pipe is detected and is not fatal")
    func gone() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        #expect(StandardStreams.write("text", to: pipe.fileHandleForWriting.fileDescriptor) == EPIPE)
    }

    @Test("output to a non-blocking descriptor is written completely")
    func wouldBlock() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        try #require(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
        let text = String(repeating: "0123456789", count: 50_000)
        async let read = pipe.fileHandleForReading.readToEnd()
        #expect(StandardStreams.write(text, to: descriptor) == nil)
        try pipe.fileHandleForWriting.close()
        #expect(try await read == Data(text.utf8))
    }

    @Test("a full disk is distinguished from a closed pipe")
    func fullDisk() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        #expect(StandardStreams.write("text", to: full) == ENOSPC)
    }
}
