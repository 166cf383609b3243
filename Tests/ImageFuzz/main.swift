import Foundation
import TestSupport

guard let options = FuzzOptions(CommandLine.arguments.dropFirst(), inputs: 100_000) else {
    print("usage: image-fuzz [--inputs N] [--seed S]")
    exit(64)
}
var run = FuzzRun(options)
run.run()
print(run.account)
exit(run.failures == 0 ? 0 : 1)
