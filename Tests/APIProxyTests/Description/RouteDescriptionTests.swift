import BookstrackContract
import HTTPTypes
import Testing

@testable import APIProxy

@Suite("Routes match their descriptions") struct RouteDescriptionTests {
    private static func key(_ method: String, _ path: String) -> String { "\(method) \(path)" }

    @Test("every route has exactly one operation, and every operation has a route")
    func oneToOne() async throws {
        try await RunningProxy.run { proxy in
            let routes = proxy.services.routes.map { Self.key($0.method.rawValue, $0.path) }
            let described = OperationCatalog.all.flatMap { operation in
                operation.paths.map { Self.key(operation.method.rawValue, $0) }
            }
            #expect(routes.sorted() == described.sorted())
            let document = try await proxy.request("GET", "/openapi.json").object
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            let served = paths.flatMap { path, methods in methods.keys.map { Self.key($0.uppercased(), path) } }
            #expect(served.sorted() == routes.sorted())
        }
    }

    @Test("an operation is described as limited if and only if its route is rate-limited")
    func limits() async throws {
        try await RunningProxy.run { proxy in
            for operation in OperationCatalog.all {
                for route in proxy.services.routes
                where operation.method == route.method && operation.paths.contains(route.path) {
                    #expect(operation.isLimited == (route.limit != .exempt), "\(route.path)")
                }
            }
        }
    }

    @Test(
        "an operation describes exactly the parameters in its path as path parameters",
        arguments: OperationCatalog.all)
    func pathParameters(_ operation: APIOperation) {
        for path in operation.paths {
            let names = path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
                String($0.dropFirst().dropLast())
            }
            #expect(operation.parameters.filter { $0.place == .path }.map(\.name) == names, "\(path)")
        }
    }

    @Test(
        "operations in the deprecated group, and no others, are marked as deprecated",
        arguments: OperationCatalog.all)
    func deprecation(_ operation: APIOperation) {
        #expect(operation.isDeprecated == (operation.group == .deprecated))
    }

    @Test("the batch request schema requires exactly one list of books")
    func exactlyOne() throws {
        let one = ["isbns": ["9780441172719"]]
        #expect(try SchemaCheck.faults(of: one, against: .named(.batchRequest)) == [])
        for lists in [["isbns": ["1"], "barcodes": ["1"]], ["isbns": ["1"], "workIds": ["1"]], [:]] {
            #expect(try SchemaCheck.faults(of: lists, against: .named(.batchRequest)) != [], "\(lists)")
        }
    }

    @Test("operation identifiers are unique")
    func identifiers() {
        let identifiers = OperationCatalog.all.map(\.id)
        #expect(Set(identifiers).count == identifiers.count)
    }
}

extension APIOperation: CustomTestStringConvertible {
    /// The operation's identifier.
    public var testDescription: String { id }
}
