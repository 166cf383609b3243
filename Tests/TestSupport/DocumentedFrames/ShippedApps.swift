/// The structures with which three shipped generations of the app decode the end of a job; members required there are required here.
///
/// The first generation reads flat frames. The second expects the found books in `job_complete`, and the third expects a summary that
/// identifies the results to fetch.
package enum ShippedApps {
    /// The last frame of the first generation's enrichment.
    package struct First: Decodable {
        package struct Content: Decodable {
            package let processedItems: Int
            package let totalItems: Int
            package let currentStatus: String
            package let enrichedWorks: [Work]
        }

        package struct Work: Decodable {
            package let isbn: String?
            package let title: String
            package let coverUrl: String?
            package let genres: [String]
        }

        package let type: String
        package let jobId: String
        package let data: Content
    }

    /// `job_complete` as the second generation reads it: as a scan's, otherwise as an import's, otherwise as an enrichment's.
    package enum Second: Decodable {
        case scan(needsReview: Int)
        case enrichment([Book])
        case library(successRate: String)

        private struct Scan: Decodable {
            let pipeline: String
            let totalDetected: Int
            let approved: Int
            let needsReview: Int
        }

        private struct Enrichment: Decodable {
            let pipeline: String
            let totalProcessed: Int
            let successCount: Int
            let failureCount: Int
            let duration: Int
            let enrichedBooks: [Book]
        }

        private struct Library: Decodable {
            let pipeline: String
            let books: [Row]
            let errors: [Row]
            let successRate: String
        }

        private struct Row: Decodable { let title: String }

        package init(from decoder: any Decoder) throws {
            if let scan = try? Scan(from: decoder) {
                self = .scan(needsReview: scan.needsReview)
            } else if let library = try? Library(from: decoder) {
                self = .library(successRate: library.successRate)
            } else {
                self = .enrichment(try Enrichment(from: decoder).enrichedBooks)
            }
        }
    }

    /// One row of an enrichment, in the frame for the second generation and in the results for the third.
    package struct Book: Decodable {
        package struct Found: Decodable {
            package let work: Work
            package let edition: Edition?
            package let authors: [Author]
        }

        package struct Work: Decodable {
            package let title: String
            package let subjectTags: [String]
        }

        package struct Edition: Decodable { package let isbns: [String] }

        package struct Author: Decodable { package let name: String }

        package let title: String
        package let author: String?
        package let isbn: String?
        package let success: Bool
        package let error: String?
        package let enriched: Found?
    }

    /// `job_complete` as the third generation reads it: as a scan's if it decodes as one, otherwise as an enrichment's.
    package enum Third: Decodable {
        case scan
        case enrichment(resourceId: String?)

        private struct Scan: Decodable {
            struct Summary: Decodable {
                let totalProcessed: Int
                let successCount: Int
                let failureCount: Int
                let duration: Int
                let resourceId: String?
                let totalDetected: Int?
                let approved: Int?
                let needsReview: Int?
            }

            let type: String
            let pipeline: String
            let summary: Summary
            let expiresAt: String
        }

        private struct Enrichment: Decodable {
            struct Summary: Decodable {
                let totalProcessed: Int
                let successCount: Int
                let failureCount: Int
                let duration: Int
                let resourceId: String?
            }

            let type: String
            let pipeline: String
            let summary: Summary
            let expiresAt: String
        }

        package init(from decoder: any Decoder) throws {
            self =
                (try? Scan(from: decoder)) != nil
                ? .scan : .enrichment(resourceId: try Enrichment(from: decoder).summary.resourceId)
        }
    }
}
