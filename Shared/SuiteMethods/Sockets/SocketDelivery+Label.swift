import Observability

/// Both ends of a delivery count it by its kind.
extension SocketDelivery.Kind: MetricLabel {
    package static var labelName: String { "kind" }
}
