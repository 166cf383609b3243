/// Every operation of the public listener; a test compares it with the routes.
enum OperationCatalogue {
    static let all =
        BatchOperations.all + SocketOperations.all + JobOperations.all + SearchOperations.all
        + ServiceOperations.descriptions + ServiceOperations.health + CoverOperations.all
        + LegacySearchOperations.all
}
