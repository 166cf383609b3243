import SuiteMethods
import Testing

@testable import SuiteProgram

@Suite("The suite in one program")
struct ProgramTests {
    @Test("started through a link with a service's name, the program is that service", arguments: ServiceName.allCases)
    func services(service: ServiceName) {
        #expect(SuiteProgram.service(named: service.rawValue) == service)
        #expect(SuiteProgram.service(named: "/usr/local/bin/" + service.rawValue) == service)
    }

    @Test(
        "started under any other name, the program is the command line",
        arguments: ["bookstrack", "/usr/local/bin/bookstrack", "./api-proxy-old", ""])
    func commandLine(path: String) {
        #expect(SuiteProgram.service(named: path) == nil)
    }
}
