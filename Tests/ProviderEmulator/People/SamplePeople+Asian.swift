extension SamplePeople {
    /// Who wrote in Japanese, Chinese or Korean.
    static let asian: [Person] = [
        Person("Kenji Miyazawa", nil, .male, [.japan], "1896-08-27", "1933-09-21", as: [.poet], aka: ["宮沢賢治"]),
        Person(
            "Haruki Murakami", "Q134798", .male, [.japan], "1949-01-12", as: [.novelist],
            aka: ["Murakami Haruki", "村上春樹"]),
        Person("Natsume Sōseki", nil, .male, [.japan], "1867-02-09", "1916-12-09", as: [.novelist], aka: ["夏目漱石"]),
        Person("Osamu Dazai", nil, .male, [.japan], "1909-06-19", "1948-06-13", as: [.novelist], aka: ["太宰治"]),
        Person("Matsuo Bashō", "Q5676", .male, [.japan], "1644", "1694-11-28", as: [.poet], aka: ["松尾芭蕉", "Bashō"]),
        Person("Takeshi Obata", nil, .male, [.japan], "1969-02-11", as: [.mangaArtist], aka: ["小畑健"]),
        Person("Tsugumi Ohba", nil, nil, [.japan], as: [.writer], aka: ["大場つぐみ"]),
        Person(
            "Liu Cixin", "Q607588", .male, [.china], "1963-06-23", as: [.scienceFictionWriter],
            aka: ["刘慈欣", "Cixin Liu"]),
        Person("Yu Hua", nil, .male, [.china], "1960-04-03", as: [.novelist], aka: ["余华"]),
        Person("Qian Zhongshu", nil, .male, [.china], "1910-11-21", "1998-12-19", as: [.novelist], aka: ["钱锺书"]),
        Person("Cao Xueqin", nil, .male, [.qing], "1715", "1763", as: [.novelist], aka: ["曹雪芹"]),
        Person("Gao E", nil, .male, [.qing], "1738", "1815", as: [.writer], aka: ["高鹗"]),
        Person("Han Kang", nil, .female, [.southKorea], "1970-11-27", as: [.novelist], aka: ["한강"]),
    ]
}
