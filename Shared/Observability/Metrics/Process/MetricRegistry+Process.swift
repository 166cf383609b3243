extension MetricRegistry {
    /// Declares what every process shows of itself, under the names that all of Prometheus' client libraries use.
    ///
    /// - Parameter version: The program's.
    package func declareProcess(version: String) {
        families("bookstrack_build_info") {
            [
                MetricFamily(
                    .gauge, "bookstrack_build_info", help: "1, labelled with the version of the program.",
                    [(labels: [Sample.Label("version", version)], value: 1)])
            ]
        }
        let started = ProcessUsage.startTime
        gauge("process_start_time_seconds", help: "When the process started, in Unix time.") { started }
        families("process_resident_memory_bytes", "process_virtual_memory_bytes") {
            guard let memory = ProcessUsage.memory else { return [] }
            return [
                MetricFamily(
                    .gauge, "process_resident_memory_bytes", help: "Memory of the process that is in RAM.",
                    value: memory.resident),
                MetricFamily(
                    .gauge, "process_virtual_memory_bytes", help: "Address space of the process.",
                    value: memory.virtual),
            ]
        }
        families("process_cpu_seconds_total") {
            guard let seconds = ProcessUsage.cpuSeconds else { return [] }
            return [
                MetricFamily(
                    .counter, "process_cpu_seconds_total", help: "CPU time of the process, in user and kernel.",
                    value: seconds)
            ]
        }
        gauge("process_threads", help: "Threads of the process.") { ProcessUsage.threads }
        gauge("process_open_fds", help: "File descriptors that are open.") { ProcessUsage.openDescriptors }
        gauge("process_max_fds", help: "File descriptors that may be open.") {
            ProcessUsage.descriptorLimit.map(Double.init)
        }
    }
}
