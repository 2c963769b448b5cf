//! Places and events that tell the rules of a game.

/// Words in PC and EV, in the spelling of collections of professional games.
pub(super) const KOREAN: &[&str] = &[
    "korea",
    "hanguk kiweon",
    "lg cup",
    "samsung cup",
    "seoul",
    "bc card",
    "myeongin",
    "hayago",
    "kbs cup",
    "paedal",
    "kuksu",
    "nongshim",
    "maxim cup",
    "tong yang",
    "tongyang",
    "kiseong",
    "kiwang",
    "ki wang",
    "chaegowi",
    "wangwi",
    "gg auction",
    "gs caltex",
    "한국기원",
    "바둑tv",
    "삼성화재",
    "농심",
];

/// Words in PC and EV for Japanese rules.
pub(super) const JAPANESE: &[&str] = &[
    "japan",
    "nihon ki-in",
    "kansai ki-in",
    "tokyo",
    "honinbo",
    "oza",
    "tengen",
    "gosei",
    "judan",
    "ryusei",
    "kisei",
    "meijin",
    "nhk cup",
    "osaka",
    "saikyo",
    "daiwa cup",
    "castle game",
    "globis cup",
    "shinei",
    "shinjin-o",
    "kakusei",
    "fujitsu cup",
    "toyota",
    "oteai",
    "日本棋院",
    "関西棋院",
    "本因坊",
    "일본기원",
];

/// Words in PC and EV for Chinese rules.
pub(super) const CHINESE: &[&str] =
    &["china", "chinese", "beijing", "chunlan", "mlily", "lanke cup", "cctv", "中国棋院", "春兰", "춘란"];
