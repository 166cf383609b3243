import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("The suite in one file")
struct ProgramTests {
    @Test("a link with a service's name is that service", arguments: ServiceName.allCases)
    func services(service: ServiceName) {
        #expect(Program.service(named: service.rawValue) == service)
        #expect(Program.service(named: "/usr/local/bin/" + service.rawValue) == service)
    }

    @Test(
        "any other name is the command line",
        arguments: ["bookstrack", "/usr/local/bin/bookstrack", "./api-proxy-old", ""])
    func commandLine(path: String) {
        #expect(Program.service(named: path) == nil)
    }
}
