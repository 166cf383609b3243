import SuiteMethods
import Testing

@testable import SuiteProgram

@Suite("The suite in one program")
struct ProgramTests {
    @Test(
        "a program that is started through a link with a service's name runs as that service",
        arguments: ServiceName.allCases)
    func services(service: ServiceName) {
        #expect(SuiteProgram.service(named: service.rawValue) == service)
        #expect(SuiteProgram.service(named: "/usr/local/bin/" + service.rawValue) == service)
    }

    @Test(
        "a program that is not started under the name of a service runs as the command line",
        arguments: ["bookstrack", "/usr/local/bin/bookstrack", "./api-proxy-old", ""])
    func commandLine(path: String) {
        #expect(SuiteProgram.service(named: path) == nil)
    }
}
