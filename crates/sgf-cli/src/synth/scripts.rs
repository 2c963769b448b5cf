//! The words for the texts of `synth`, by script.
//!
//! The people are invented. Japanese and Chinese texts use characters whose second byte in Shift_JIS, GBK or Big5
//! is that of `[`, `\` or `]`, since these break careless readers. Some events and remarks contain `]` and `\`
//! themselves.

/// Words of one script. Every family name goes with every given name. No list is empty.
pub(super) struct Script {
    pub(super) family: &'static [&'static str],
    /// Separator between family name and given name.
    pub(super) gap: &'static str,
    pub(super) given: &'static [&'static str],
    pub(super) events: &'static [&'static str],
    pub(super) places: &'static [&'static str],
    /// Short comments on a move.
    pub(super) remarks: &'static [&'static str],
}

/// Characters that all charsets have.
pub(super) const ASCII: Script = Script {
    family: &["Hane", "Kosumi", "Tobi", "Nobi", "Sagari", "Kakari", "Tesuji", "Ko", "Fuseki", "Yose", "Aji", "Moku"],
    gap: " ",
    given: &["Jun", "Ai", "Ren", "Mei", "Taro", "Lin", "Kei", "Hana", "Min", "Yu", "Sora", "Ito"],
    events: &[
        "3rd Spring Cup",
        "City League",
        "12th Title Match [final]",
        "Club Open",
        "Autumn Cup, round 2",
        "Ladder 7",
        "Team Match",
        "41st Masters",
    ],
    places: &["Tokyo", "Seoul", "Beijing", "Taipei", "Kyoto", "Osaka", "Shanghai", "Internet"],
    remarks: &[
        "Joseki.",
        "A good shape.",
        "Too slow?",
        "Sente.",
        "The last big point.",
        "Gote, but big.",
        "Ko!",
        "See [2].",
        "Thick.",
        "Black resigns.",
        "Why not D4?",
        "Dame\\neutral.",
    ],
};

/// European Latin letters. Charsets have all or some of them.
pub(super) const LATIN: Script = Script {
    family: &["Berg", "Müller", "Dvořák", "Nowak", "Łukasz", "Öberg", "García", "Lefèvre", "Kovács", "Şahin", "Tamm"],
    gap: ", ",
    given: &["Anna", "José", "Zoë", "Jiří", "Søren", "Hélène", "László", "Eva", "Çınar", "Õnne"],
    events: &["Open", "Championnat [finale]", "Mästerskap", "Copa de España", "Mistrovství", "Kupa", "Liga 2"],
    places: &["Berlin", "Köln", "Brno", "Łódź", "Málaga", "Besançon", "Győr", "İzmir", "Tartu"],
    remarks: &["Joseki.", "Très bien !", "Schön.", "Špatně?", "¡Qué bueno!", "Voir [2].", "Źle.", "Güzel.", "Ko!"],
};

pub(super) const CYRILLIC: Script = Script {
    family: &["Иванов", "Орлова", "Соколов", "Белая", "Гусев", "Лебедь"],
    gap: " ",
    given: &["Анна", "Пётр", "Мария", "Олег", "Илья", "Вера"],
    events: &["Кубок города", "Чемпионат [финал]", "Лига 2", "Открытый турнир"],
    places: &["Москва", "Казань", "Томск", "Минск"],
    remarks: &["Хорошо.", "Слишком медленно?", "Ко!", "См. [2].", "Сэнтэ, но мало.", "Чёрные сдались."],
};

pub(super) const GREEK: Script = Script {
    family: &["Παπαδάκης", "Νικολάου", "Γεωργίου", "Δήμου"],
    gap: " ",
    given: &["Άννα", "Νίκος", "Ελένη", "Γιώργος"],
    events: &["Κύπελλο", "Πρωτάθλημα [τελικός]"],
    places: &["Αθήνα", "Πάτρα", "Θεσσαλονίκη"],
    remarks: &["Καλό.", "Πολύ αργό;", "Κο!", "Βλ. [2]."],
};

pub(super) const HEBREW: Script = Script {
    family: &["כהן", "לוי", "אורן", "שחר"],
    gap: " ",
    given: &["דנה", "יעל", "אבי", "נועם"],
    events: &["גביע העיר", "אליפות [גמר]"],
    places: &["חיפה", "תל אביב"],
    remarks: &["טוב.", "לאט מדי?", "קו!", "ראה [2]."],
};

pub(super) const ARABIC: Script = Script {
    family: &["حسن", "نجم", "صالح", "قمر"],
    gap: " ",
    given: &["ليلى", "كريم", "سلمى", "عمر"],
    events: &["كأس المدينة", "بطولة [نهائي]"],
    places: &["القاهرة", "عمان"],
    remarks: &["جيد.", "كو!", "انظر [2]."],
};

pub(super) const THAI: Script = Script {
    family: &["ใจดี", "สุขสม", "ทองคำ"],
    gap: " ",
    given: &["มานี", "ปิติ", "ชูใจ"],
    events: &["ถ้วยเมือง", "ชิงแชมป์ [รอบสุดท้าย]"],
    places: &["กรุงเทพ", "เชียงใหม่"],
    remarks: &["ดี", "ช้าไปไหม", "โคะ!", "ดู [2]"],
};

/// Second bytes like `\` in Shift_JIS: 十 申 表 能 予 構 貼 ソ; like `]`: 江 曽 評; like `[`: 深.
pub(super) const JAPANESE: Script = Script {
    family: &["江川", "曽田", "深谷", "申井", "十文字", "山本", "表", "小林", "予科"],
    gap: "",
    given: &["能子", "太郎", "ソノ", "美咲", "十郎", "健", "構造", "花"],
    events: &["十段戦予選", "第三期代表決定戦", "申年杯 [決勝]", "新人戦", "深川杯", "全日本戦"],
    places: &["東京", "江戸川", "深川", "大阪", "京都十条", "ソウル"],
    remarks: &[
        "定石。",
        "良い構え。",
        "遅い可能性。",
        "先手。",
        "表を見る [2]。",
        "投了。評は次。",
        "コウ！",
        "予想の一手。",
        "貼り合わせ\\控え。",
    ],
};

/// Second bytes like `\` in GBK: 誠 診; like `]`: 註; like `[`: 隱. Those of GB 2312 never look like brackets.
pub(super) const SIMPLIFIED: Script = Script {
    family: &["王", "李", "陈", "林", "誠", "赵", "周", "孙"],
    gap: "",
    given: &["誠", "小明", "丽", "診", "建国", "静", "註", "隱之"],
    events: &["第三届新人赛", "围棋甲级联赛", "名人战 [决赛]", "業餘賽註", "城市杯"],
    places: &["北京", "上海", "杭州棋院", "成都", "誠品"],
    remarks: &["定式。", "好形。", "太慢？", "先手。", "见 [2]。", "註：此手誠然。", "打劫！", "认输。"],
};

/// Second bytes like `\` in Big5: 許 功 蓋; like `]`: 包 珠 館 夜 也; like `[`: 加 琉.
pub(super) const TRADITIONAL: Script = Script {
    family: &["許", "林", "包", "王", "陳", "功", "蓋", "張"],
    gap: "",
    given: &["功成", "珠", "加文", "琉璃", "美玲", "育德", "夜", "一"],
    events: &["第三屆天元戰", "成功盃 [決賽]", "會館加賽", "新人王", "許氏盃"],
    places: &["台北", "棋館", "高雄", "育英館"],
    remarks: &["定石。", "好形，功效高。", "太慢？", "先手。", "見 [2]。", "也許加一手。", "打劫！", "夜深\\投子。"],
};

pub(super) const KOREAN: Script = Script {
    family: &["김", "이", "박", "최", "정", "한"],
    gap: "",
    given: &["민준", "서연", "지훈", "하늘", "별", "유진"],
    events: &["신인왕전", "제3기 명인전 [결승]", "도시 리그", "여류국수전"],
    places: &["서울", "부산", "대전", "한국기원"],
    remarks: &["정석.", "좋은 모양.", "너무 느린가?", "선수.", "[2] 참조.", "패!", "흑 불계패."],
};

pub(super) const ALL: &[&Script] =
    &[&ASCII, &LATIN, &CYRILLIC, &GREEK, &HEBREW, &ARABIC, &THAI, &JAPANESE, &SIMPLIFIED, &TRADITIONAL, &KOREAN];
