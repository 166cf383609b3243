import Foundation
import Testing
@testable import Observability

@Suite("Metric registries")
struct MetricRegistryTests {
    @Test("a registry computes its values at each scrape")
    func callbacks() {
        let registry = MetricRegistry()
        let waiting = Gauge()
        registry.gauge("waiting", help: "Waiting.") { waiting.value > 0 ? Double(waiting.value) : nil }
        #expect(registry.families().isEmpty)
        waiting.set(4)
        #expect(registry.families().map(\.samples) == [[Sample(.number(4))]])
    }

    @Test("a registry stops a program that declares the same name twice")
    func twice() async {
        await #expect(processExitsWith: .failure) {
            let registry = MetricRegistry()
            _ = registry.counter("x_total", help: "X.")
            _ = registry.counter("x_total", help: "X.")
        }
    }

    @Test("a registry provides the process's resource usage under the standard names")
    func process() throws {
        let registry = MetricRegistry()
        registry.declareProcess(version: "1.2.3")
        let families = Dictionary(uniqueKeysWithValues: registry.families().map { ($0.name, $0) })
        func value(_ name: String) throws -> Double {
            guard case .number(let value) = try #require(families[name]?.samples.first?.reading) else { return .nan }
            return value
        }
        #expect(try value("process_resident_memory_bytes") > 1_048_576)
        #expect(try value("process_virtual_memory_bytes") > value("process_resident_memory_bytes"))
        #expect(try value("process_cpu_seconds_total") >= 0)
        #expect(try value("process_start_time_seconds") > 1_600_000_000)
        #expect(try value("process_open_fds") >= 3)
        #expect(try value("process_max_fds") >= value("process_open_fds"))
        #expect(try value("process_threads") >= 1)
        #expect(families["bookstrack_build_info"]?.samples.first?.labels == [.init("version", "1.2.3")])
    }
}

@Suite("Process statistics")
struct ProcessStatTests {
    @Test("the fields of /proc/PID/stat are parsed even if the program's name contains spaces and parentheses")
    func strangeName() throws {
        let fields = (3...52).map(String.init).joined(separator: " ")
        let stat = try #require(ProcessStat("1 (a) b) (c) \(fields)\n"))
        #expect(stat.threads == 20)
        #expect(stat.start == .milliseconds(22_000 / sysconf(CInt(_SC_CLK_TCK))))
        #expect(ProcessStat("1 (a) S 1")?.start == nil)
        #expect(ProcessStat("") == nil)
    }

    @Test("the age of this process is plausible and does not decrease")
    func age() throws {
        let first = try #require(ProcessStat.current?.age)
        let second = try #require(ProcessStat.current?.age)
        #expect(first >= .zero)
        #expect(first < .seconds(86_400))
        #expect(second >= first)
    }

    @Test("the start of this process in Unix time is the current time minus its age")
    func startTime() throws {
        let age = try #require(ProcessStat.current?.age)
        let start = try #require(ProcessUsage.startTime)
        #expect(abs(Date().timeIntervalSince1970 - age / .seconds(1) - start) < 60)
    }
}
