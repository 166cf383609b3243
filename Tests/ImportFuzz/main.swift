import Foundation
import TestSupport

let stages = FuzzRun.stages.map(\.name)
guard let options = FuzzOptions(CommandLine.arguments.dropFirst(), inputs: 10_000, stages: stages) else {
    print("usage: import-fuzz [--inputs N] [--seed S] [--stage \(stages.joined(separator: "|"))]")
    exit(64)
}
var run = FuzzRun(options)
run.run()
print(run.account)
exit(run.failures == 0 ? 0 : 1)
