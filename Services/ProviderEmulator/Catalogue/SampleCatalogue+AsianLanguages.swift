extension SampleCatalogue {
    /// Japanese, Chinese, Korean, Arabic, Persian and Hebrew.
    static let asianLanguages: [SampleBook] = [
        SampleBook(
            "9784101092058", "新編 銀河鉄道の夜", by: ["宮沢賢治"],
            first: 1934, in: .japanese, work: "銀河鉄道の夜",
            edition: .init("1989-06", from: "新潮社", pages: 357, as: .paperback),
            subjects: ["Classics", "Fantasy", "童話"],
            about: "少年が友と銀河を走る汽車に乗る、表題作ほかの童話集。"),
        SampleBook(
            "9784062748681", "ノルウェイの森 上", by: ["村上春樹"],
            first: 1987, in: .japanese, work: "ノルウェイの森",
            edition: .init("2004-09-15", from: "講談社", pages: 302, as: .paperback),
            subjects: ["Fiction", "Romance"],
            about: "学生時代の恋と喪失を振り返る長編の上巻。"),
        SampleBook(
            "9784101010014", "吾輩は猫である", by: ["夏目漱石"],
            first: 1905, in: .japanese,
            edition: .init("2003", from: "新潮社", pages: 610, as: .paperback),
            subjects: ["Classics", "Humor"],
            about: "名前のない猫が、先生とその客たちを観察する。"),
        SampleBook(
            "9784101006055", "人間失格", by: ["太宰治"],
            first: 1948, in: .japanese,
            edition: .init("2006", from: "新潮社", pages: 185, as: .paperback),
            subjects: ["Classics", "Fiction"],
            about: "人を恐れて道化を演じた男の手記。",
            knownTo: [.googleBooks]),
        SampleBook(
            "9784103534228", "1Q84 BOOK 1", subtitle: "4月-6月", by: ["村上春樹"],
            first: 2009, in: .japanese, work: "1Q84",
            edition: .init("2009-05-29", from: "新潮社", pages: 554, as: .hardcover),
            subjects: ["Fiction", "Fantasy"],
            about: "月が二つある世界で、二人の物語が近づいていく。"),
        SampleBook(
            "9787536692930", "三体", by: ["刘慈欣"],
            first: 2006, in: .chinese, series: "地球往事 #1",
            edition: .init("2008-01", from: "重庆出版社", pages: 302, as: .paperback),
            subjects: ["Science Fiction", "科幻小说"],
            about: "一位科学家向太空发出信号，多年后得到了回答。"),
        SampleBook(
            "9787506365437", "活着", by: ["余华"],
            first: 1992, in: .chinese,
            edition: .init("2012-08-01", from: "作家出版社", pages: 191, as: .paperback),
            subjects: ["Fiction", "Historical Fiction"],
            about: "一个地主的儿子失去一切，却活了下来。"),
        SampleBook(
            "9787020024759", "围城", by: ["钱锺书"],
            first: 1947, in: .chinese,
            edition: .init("1991-02", from: "人民文学出版社", pages: 359, as: .paperback),
            subjects: ["Fiction", "Humor"],
            about: "一个留学归来的人在婚姻和大学里处处碰壁。"),
        SampleBook(
            "9787020002207", "红楼梦", by: ["曹雪芹", "高鹗"],
            first: 1791, in: .chinese,
            edition: .init("1996-12", from: "人民文学出版社", pages: 1606, as: .paperback),
            subjects: ["Classics", "Fiction"],
            about: "一个大家族的兴盛与衰落，以及园中的少年男女。",
            knownTo: [.openLibrary]),
        SampleBook(
            "9788936433598", "채식주의자", by: ["한강"],
            first: 2007, in: .korean,
            edition: .init("2007-10-30", from: "창비", pages: 247, as: .paperback),
            subjects: ["Fiction", "한국소설"],
            about: "어느 날 고기를 먹지 않기로 한 여자의 이야기."),
        SampleBook(
            "9789770915349", "أولاد حارتنا", by: ["نجيب محفوظ"],
            first: 1959, in: .arabic,
            edition: .init("2006", from: "دار الشروق", pages: 583, as: .paperback),
            subjects: ["Fiction", "Classics"],
            about: "حكاية حارة وأجيال من أبنائها يطلبون العدل."),
        SampleBook(
            "9789770924396", "عزازيل", by: ["يوسف زيدان"],
            first: 2008, in: .arabic,
            edition: .init("2008", from: "دار الشروق", pages: 380, as: .paperback),
            subjects: ["Historical Fiction", "Fiction"],
            about: "راهب يكتب سيرته في رقوق يخفيها عن الناس.",
            knownTo: [.openLibrary]),
        SampleBook(
            "9789644480577", "بیگانه", by: ["آلبر کامو"],
            first: 1942, in: .persian,
            edition: .init(from: "نیلوفر", pages: 144, as: .paperback),
            subjects: ["Classics", "Fiction"],
            about: "مردی در ساحل کسی را می‌کشد و دلیلی نمی‌یابد.",
            knownTo: [.openLibrary]),
        SampleBook(
            "9789655529753", "שלוש קומות", by: ["אשכול נבו"],
            first: 2015, in: .hebrew,
            edition: .init("2015", from: "כנרת, זמורה-ביתן", pages: 272, as: .paperback),
            subjects: ["Fiction"],
            about: "שלושה סיפורים משלוש קומות של בניין אחד."),
    ]
}
