import Foundation
import ServiceKit
import Testing

@Suite("The journal as standard error")
struct JournalStreamTests {
    @Test("a descriptor leads into the journal when the variable names its device and inode")
    func connected() {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        var status = stat()
        fstat(descriptor, &status)
        func isConnected(_ value: String?) -> Bool {
            JournalStream.isConnected(descriptor, environment: value.map { ["JOURNAL_STREAM": $0] } ?? [:])
        }
        #expect(isConnected("\(status.st_dev):\(status.st_ino)"))
        #expect(!isConnected("\(status.st_dev):\(status.st_ino + 1)"))
        for value in [nil, "", ":", "1", "a:b", "\(status.st_dev):"] { #expect(!isConnected(value)) }
    }
}
