import BookstrackContract
import LibraryImport
import Testing

/// Dates in the forms that applications and spreadsheets write in many languages.
@Suite("Date cells")
struct DateCellTests {
    @Test(
        "a month is recognized by its name in many languages",
        arguments: [
            ("5 January 2021", "2021-01-05"), ("5. Jänner 2021", "2021-01-05"), ("5 janvier 2021", "2021-01-05"),
            ("5 enero 2021", "2021-01-05"), ("5 gennaio 2021", "2021-01-05"), ("5 stycznia 2021", "2021-01-05"),
            ("5 января 2021", "2021-01-05"), ("5 tammikuu 2021", "2021-01-05"),
            ("14 Februar 2020", "2020-02-14"), ("14 févr. 2020", "2020-02-14"), ("14 de febrero de 2020", "2020-02-14"),
            ("14 fevereiro 2020", "2020-02-14"), ("14 lutego 2020", "2020-02-14"), ("14 лютого 2020", "2020-02-14"),
            ("3. März 2019", "2019-03-03"), ("3 mrt 2019", "2019-03-03"), ("3 março 2019", "2019-03-03"),
            ("3 березня 2019", "2019-03-03"), ("30 avril 2018", "2018-04-30"), ("30 kwietnia 2018", "2018-04-30"),
            ("30 апреля 2018", "2018-04-30"), ("1 maj 2017", "2017-05-01"), ("1 maggio 2017", "2017-05-01"),
            ("1 мая 2017", "2017-05-01"), ("21 juin 2016", "2016-06-21"), ("21 giugno 2016", "2016-06-21"),
            ("21 июня 2016", "2016-06-21"), ("31 juillet 2015", "2015-07-31"), ("31 luglio 2015", "2015-07-31"),
            ("31 липня 2015", "2015-07-31"), ("15 août 2014", "2014-08-15"), ("15 sierpnia 2014", "2014-08-15"),
            ("15 augusti 2014", "2014-08-15"), ("9 settembre 2013", "2013-09-09"), ("9 września 2013", "2013-09-09"),
            ("9 syyskuu 2013", "2013-09-09"), ("31 Oktober 2012", "2012-10-31"), ("31 ottobre 2012", "2012-10-31"),
            ("31 жовтня 2012", "2012-10-31"), ("11 listopada 2011", "2011-11-11"), ("11 noviembre 2011", "2011-11-11"),
            ("11 ноября 2011", "2011-11-11"), ("24 Dezember 2010", "2010-12-24"), ("24 décembre 2010", "2010-12-24"),
            ("24 grudnia 2010", "2010-12-24"), ("24 декабря 2010 г.", "2010-12-24"),
        ])
    func months(cell: String, iso: String) {
        #expect(CellDate(cell, order: nil)?.iso == iso)
    }

    @Test(
        "a date is read with its parts in various orders and with various separators",
        arguments: [
            ("2021-3-5", "2021-03-05"), ("2021.03.05", "2021-03-05"), ("2021 03 05", "2021-03-05"),
            ("5.3.2021", "2021-03-05"), ("05.03.21", "2021-03-05"), ("5-Mar-2021", "2021-03-05"),
            ("Mar 5 2021", "2021-03-05"), ("2021 March 5", "2021-03-05"), ("Fri Mar 05 2021", "2021-03-05"),
            ("5th of March 2021", "2021-03-05"), ("March 1st, 2021", "2021-03-01"), ("2nd March 2021", "2021-03-02"),
            ("1er mars 2021", "2021-03-01"), ("3 de mayo de 2021", "2021-05-03"), ("March 2021", "2021-03"),
            ("mars 2021", "2021-03"), ("2021 March", "2021-03"), ("03/2021", "2021-03"), ("2021/03", "2021-03"),
            ("2021年3月", "2021-03"), ("1999", "1999"), ("'2021-03-05", "2021-03-05"), ("=\"2021-03-05\"", "2021-03-05"),
        ])
    func orders(cell: String, iso: String) {
        #expect(CellDate(cell, order: nil)?.iso == iso)
    }

    @Test(
        "a time of day or a remark after a date is ignored",
        arguments: [
            "2021-03-05T22:41:16Z", "2021-03-05T22:41:16.123+01:00", "2021-03-05 22:41", "2021/03/05 22:41:16",
            "5.3.2021 22:41", "March 5, 2021 at 10:41", "5.3.2021 22.41", "2021-03-05 22h41", "2021-03-05 T",
            "2021-03-05 (2)", "2021-03-05 (2nd time)", "2021-03-05 #2",
        ])
    func times(cell: String) {
        #expect(CellDate(cell, order: nil)?.iso == "2021-03-05")
    }

    @Test(
        "a two-digit year stands for a year from 1970 to 2069",
        arguments: [
            ("05-Mar-00", "2000-03-05"), ("05-Mar-69", "2069-03-05"), ("05-Mar-70", "1970-03-05"),
            ("05-Mar-99", "1999-03-05"),
        ])
    func shortYears(cell: String, iso: String) {
        #expect(CellDate(cell, order: nil)?.iso == iso)
    }

    @Test(
        "29 February exists only in leap years",
        arguments: [
            ("2020-02-29", true), ("2000-02-29", true), ("2021-02-29", false), ("1900-02-29", false),
            ("29 February 2024", true), ("29 February 2023", false),
        ])
    func leapYears(cell: String, exists: Bool) {
        #expect((CellDate(cell, order: nil) != nil) == exists)
    }

    @Test(
        "a day that does not exist, or that is in an implausible year, is unreadable and is not shifted to another day",
        arguments: [
            "2021-04-31", "2021-00-10", "2021-13-01", "31/11/2020", "32 January 2021", "0999-01-01", "2300-01-01",
        ])
    func impossible(cell: String) {
        #expect(CellDate.read(cell, order: .dayFirst) == .unreadable)
    }

    @Test(
        "an application's placeholder for an unknown date is neither a date nor a fault",
        arguments: ["", "0101-01-01", "0101-01-01T00:00:00+00:00", "0000-00-00", "0001-01-01", "N/A", "-", "unknown"])
    func unknown(cell: String) {
        #expect(CellDate.read(cell, order: nil) == .none)
    }

    @Test(
        "text that is not a date is unreadable",
        arguments: ["Emma", "soon", "summer 2021 or so", "page 12", "1.5", "2021-2022-2023-2024", "12:30", "123456789"])
    func text(cell: String) {
        #expect(CellDate.read(cell, order: nil) == .unreadable)
    }

    @Test(
        "spreadsheet serial numbers are read as dates",
        arguments: [("25569", "1970-01-01"), ("36526", "2000-01-01"), ("43890", "2020-02-29"), ("45658", "2025-01-01")])
    func serials(cell: String, iso: String) {
        #expect(CellDate(cell, order: nil)?.iso == iso)
    }

    @Test("serial numbers outside the range of plausible reading dates are not dates", arguments: ["19999", "60001"])
    func otherNumbers(cell: String) {
        #expect(CellDate(cell, order: nil) == nil)
    }

    @Test("a number above 12 proves the date order, and a date with equal day and month needs no proof")
    func proofs() {
        #expect(CellDate.order(provenBy: "31/12/2020") == .dayFirst)
        #expect(CellDate.order(provenBy: "12/31/2020") == .monthFirst)
        #expect(CellDate.order(provenBy: "31-12-20") == .dayFirst)
        for cell in ["12/11/2020", "2020-12-31", "31 December 2020", "Emma", "", "32/13/2020"] {
            #expect(CellDate.order(provenBy: cell) == nil, "\(cell)")
        }
        #expect(CellDate("07/07/2020", order: nil)?.iso == "2020-07-07")
    }

    @Test("a proven date order does not affect a date that can be read in only one way")
    func oneWay() {
        #expect(CellDate("12/31/2020", order: .dayFirst)?.iso == "2020-12-31")
        #expect(CellDate("31/12/2020", order: .monthFirst)?.iso == "2020-12-31")
        #expect(CellDate("4.3.2021", order: .monthFirst)?.iso == "2021-03-04")
    }

    @Test(
        "reading periods are read with various separators between start and end",
        arguments: [
            ("2020/01/01-2020/01/05", "2020-01-01", "2020-01-05"),
            ("2020-01-01/2020-01-05", "2020-01-01", "2020-01-05"),
            ("2020-01-01 - 2020-01-05", "2020-01-01", "2020-01-05"),
            ("2020-01-01 – 2020-01-05", "2020-01-01", "2020-01-05"),
            ("2020-01-01 to 2020-01-05", "2020-01-01", "2020-01-05"),
            ("1 Jan 2020 → 5 Jan 2020", "2020-01-01", "2020-01-05"),
            ("2020-01-01|2020-01-05|3600000", "2020-01-01", "2020-01-05"), ("2020-01-2020-02", "2020-01", "2020-02"),
            ("01.02.21 - 03.02.21", "2021-02-01", "2021-02-03"), ("01.02.21–03.02.21", "2021-02-01", "2021-02-03"),
            ("1 Feb 21 to 3 Feb 21", "2021-02-01", "2021-02-03"), ("31.12.20-02.01.21", "2020-12-31", "2021-01-02"),
        ])
    func periods(cell: String, start: String, end: String) {
        #expect(ReadingList.read(cell, order: nil).readings == [ReadingDates(start: start, end: end)])
    }

    @Test("dates with two-digit years that are separated by a comma are several readings")
    func shortYearList() {
        let list = ReadingList.read("01.02.21, 03.02.22", order: nil)
        #expect(list.readings == [ReadingDates(end: "2021-02-01"), ReadingDates(end: "2022-02-03")])
    }

    @Test("a period whose second date has no year is not a date")
    func halfPeriod() {
        #expect(CellDate.read("01.02.21 - 03.02.", order: nil) == .unreadable)
    }

    @Test(
        "a range without an end is the start of a reading, not its end",
        arguments: ["2021/01/20-", "2021-01-20-", "2021-01-20 - ", "1/20/2021-", "2021-01-20/"])
    func openRange(cell: String) {
        let list = ReadingList.read(cell, order: nil)
        #expect(list.readings == [ReadingDates(start: "2021-01-20")])
        #expect(!list.hasUnreadable)
    }

    @Test("a hyphen is an empty list of readings", arguments: ["-", " - ", "--"])
    func hyphen(cell: String) {
        let list = ReadingList.read(cell, order: nil)
        #expect(list.readings.isEmpty)
        #expect(!list.hasUnreadable)
    }

    @Test("an open reading period has only a start or an end")
    func openPeriods() {
        #expect(ReadingList.read("2020-01-01/", order: nil).readings == [ReadingDates(start: "2020-01-01")])
        #expect(ReadingList.read("|2020-01-05|", order: nil).readings == [ReadingDates(end: "2020-01-05")])
        #expect(ReadingList.read("||", order: nil).readings.isEmpty)
    }

    @Test("an ambiguous date in a reading period keeps its year and is reported")
    func ambiguousPeriod() {
        let list = ReadingList.read("01/02/2020 - 03/04/2020", order: nil)
        #expect(list.hasAmbiguous)
        #expect(list.readings == [ReadingDates(start: "2020", end: "2020")])
        let ordered = ReadingList.read("01/02/2020 - 03/04/2020", order: .dayFirst)
        #expect(!ordered.hasAmbiguous)
        #expect(ordered.readings == [ReadingDates(start: "2020-02-01", end: "2020-04-03")])
    }

    @Test("an unreadable entry in a list of reading dates does not affect the others")
    func unreadableEntry() {
        let list = ReadingList.read("2020-01-01; whenever; 2021-01-01", order: nil)
        #expect(list.hasUnreadable)
        #expect(list.readings == [ReadingDates(end: "2020-01-01"), ReadingDates(end: "2021-01-01")])
    }
}
