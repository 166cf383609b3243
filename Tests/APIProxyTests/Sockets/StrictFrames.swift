/// The texts of section 6 of the Autobahn test suite in hexadecimal digits, numbered as in that suite.
enum StrictFrames {
    static let validText = read(
        """
        6.1.1
        6.2.1 48656c6c6f2dc2b540c39fc3b6c3a4c3bcc3a0c3a12d5554462d382121
        6.2.4 cebacf8ccf83cebcceb5
        6.6.2 ceba
        6.6.5 cebae1bdb9
        6.6.7 cebae1bdb9cf83
        6.6.9 cebae1bdb9cf83cebc
        6.6.11 cebae1bdb9cf83cebcceb5
        6.7.1 00
        6.7.2 c280
        6.7.3 e0a080
        6.7.4 f0908080
        6.9.1 7f
        6.9.2 dfbf
        6.9.3 efbfbf
        6.9.4 f48fbfbf
        6.11.1 ed9fbf
        6.11.2 ee8080
        6.11.3 efbfbd
        6.11.4 f48fbfbf
        6.22.1 efbfbe
        6.22.2 efbfbf
        6.22.3 f09fbfbe
        6.22.4 f09fbfbf
        6.22.5 f0afbfbe
        6.22.6 f0afbfbf
        6.22.7 f0bfbfbe
        6.22.8 f0bfbfbf
        6.22.9 f18fbfbe
        6.22.10 f18fbfbf
        6.22.11 f19fbfbe
        6.22.12 f19fbfbf
        6.22.13 f1afbfbe
        6.22.14 f1afbfbf
        6.22.15 f1bfbfbe
        6.22.16 f1bfbfbf
        6.22.17 f28fbfbe
        6.22.18 f28fbfbf
        6.22.19 f29fbfbe
        6.22.20 f29fbfbf
        6.22.21 f2afbfbe
        6.22.22 f2afbfbf
        6.22.23 f2bfbfbe
        6.22.24 f2bfbfbf
        6.22.25 f38fbfbe
        6.22.26 f38fbfbf
        6.22.27 f39fbfbe
        6.22.28 f39fbfbf
        6.22.29 f3afbfbe
        6.22.30 f3afbfbf
        6.22.31 f3bfbfbe
        6.22.32 f3bfbfbf
        6.22.33 f48fbfbe
        6.22.34 f48fbfbf
        6.23.1 efbfb9
        6.23.2 efbfba
        6.23.3 efbfbb
        6.23.4 efbfbc
        6.23.5 efbfbd
        6.23.6 efbfbe
        6.23.7 efbfbf
        """)

    static let invalidText = read(
        """
        6.3.1 cebae1bdb9cf83cebcceb5eda080656469746564
        6.6.1 ce
        6.6.3 cebae1
        6.6.4 cebae1bd
        6.6.6 cebae1bdb9cf
        6.6.8 cebae1bdb9cf83ce
        6.6.10 cebae1bdb9cf83cebcce
        6.8.1 f888808080
        6.8.2 fc8480808080
        6.10.1 f7bfbfbf
        6.10.2 fbbfbfbfbf
        6.10.3 fdbfbfbfbfbf
        6.11.5 f4908080
        6.12.1 80
        6.12.2 bf
        6.12.3 80bf
        6.12.4 80bf80
        6.12.5 80bf80bf
        6.12.6 80bf80bf80
        6.12.7 80bf80bf80bf
        6.12.8 808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf
        6.13.1 c020c120c220c320c420c520c620c720c820c920ca20cb20cc20cd20ce20cf20d020d120d220d320d420d520d620d720d820d920da20db20dc20dd20de20df20
        6.13.2 e020e120e220e320e420e520e620e720e820e920ea20eb20ec20ed20ee20ef20
        6.13.3 f020f120f220f320f420f520f620f720
        6.13.4 f820f920fa20fb20
        6.13.5 fc20fd20
        6.14.1 c0
        6.14.2 e080
        6.14.3 f08080
        6.14.4 f8808080
        6.14.5 fc80808080
        6.14.6 df
        6.14.7 efbf
        6.14.8 f7bfbf
        6.14.9 fbbfbfbf
        6.14.10 fdbfbfbfbf
        6.15.1 c0e080f08080f8808080fc80808080dfefbff7bfbffbbfbfbffdbfbfbfbf
        6.16.1 fe
        6.16.2 ff
        6.16.3 fefeffff
        6.17.1 c0af
        6.17.2 e080af
        6.17.3 f08080af
        6.17.4 f8808080af
        6.17.5 fc80808080af
        6.18.1 c1bf
        6.18.2 e09fbf
        6.18.3 f08fbfbf
        6.18.4 f887bfbfbf
        6.18.5 fc83bfbfbfbf
        6.19.1 c080
        6.19.2 e08080
        6.19.3 f0808080
        6.19.4 f880808080
        6.19.5 fc8080808080
        6.20.1 eda080
        6.20.2 edadbf
        6.20.3 edae80
        6.20.4 edafbf
        6.20.5 edb080
        6.20.6 edbe80
        6.20.7 edbfbf
        6.21.1 eda080edb080
        6.21.2 eda080edbfbf
        6.21.3 edadbfedb080
        6.21.4 edadbfedbfbf
        6.21.5 edae80edb080
        6.21.6 edae80edbfbf
        6.21.7 edafbfedb080
        6.21.8 edafbfedbfbf
        """)

    private static func read(_ table: String) -> [(number: String, bytes: [UInt8])] {
        table.split(separator: "\n").map { line in
            let parts = line.split(separator: " ")
            let digits = parts.count > 1 ? Array(parts[1]) : []
            let bytes = stride(from: 0, to: digits.count, by: 2).map {
                UInt8(String(digits[$0...($0 + 1)]), radix: 16) ?? 0
            }
            return (String(parts[0]), bytes)
        }
    }
}
