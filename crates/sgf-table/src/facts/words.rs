//! The words that facts are told in.

use std::fmt;

/// Defines a set of words, each with its meaning.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident: $( $variant:ident $word:literal $meaning:literal; )+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( #[doc = concat!("`", $word, "`: ", $meaning, ".")] $variant, )+
        }

        impl $name {
            /// Returns all words, in the order of the list.
            pub fn all() -> impl ExactSizeIterator<Item = Self> {
                [$( $name::$variant ),+].into_iter()
            }

            /// Returns the word, as in the columns of tables.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $( $name::$variant => $word, )+
                }
            }

            /// Returns its meaning.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $( $name::$variant => $meaning, )+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

words! {
    /// The server or collection that a game is from.
    Origin:
    Kgs "kgs" "KGS, the server at gokgs.com";
    Ogs "ogs" "OGS, the server at online-go.com";
    Fox "fox" "Fox, the server at foxwq.com";
    Tygem "tygem" "Tygem, the server of Seoul and Beijing";
    Igs "igs" "IGS, the server of Pandanet";
    Nngs "nngs" "NNGS, a server of the years 1995 to 2005, and its successors";
    Cgos "cgos" "CGOS, the server on which programs play";
    Dgs "dgs" "DGS, the Dragon Go Server";
    Hangame "hangame" "the server of Hangame";
    CyberOro "cyberoro" "the server of CyberOro, and its English version WBaduk";
    LittleGolem "little-golem" "the server Little Golem";
    GoGod "gogod" "the collection GoGoD";
    Go4Go "go4go" "the collection Go4Go";
    GoBase "gobase" "the collection GoBase";
    GoGameGuru "gogameguru" "the collection of Go Game Guru";
    Flygo "flygo" "the collection of flygo.net";
    GoProblems "goproblems" "the problems of goproblems.com";
    Weiqi101 "101weiqi" "the problems of 101weiqi.com";
    KataGo "katago" "a game that KataGo wrote: self-play, a match, or a game with a person";
    LeelaZero "leela-zero" "a game that Leela Zero wrote";
    Minigo "minigo" "a game that Minigo wrote";
    TwoGtp "twogtp" "a match of two programs that `twogtp` wrote";
}

words! {
    /// The grade of a player, beside the number of the rank.
    PlayerGrade:
    Kyu "kyu" "a student grade";
    Dan "dan" "an amateur dan, or a dan of a server";
    Pro "pro" "a professional";
    Insei "insei" "a student of a professional institute";
}

words! {
    /// The rules of a game of Go, without their editions.
    RulesFamily:
    Japanese "japanese" "Japanese rules";
    Chinese "chinese" "Chinese rules";
    Korean "korean" "Korean rules";
    Aga "aga" "AGA rules, and the British and French ones, which agree with them";
    Ing "ing" "Ing rules";
    NewZealand "new-zealand" "New Zealand rules";
    TrompTaylor "tromp-taylor" "Tromp-Taylor rules";
    OldChinese "old-chinese" "Chinese rules before 1900: stones on the board count, and each group costs points";
    Area "area" "other rules that count area";
    Territory "territory" "other rules that count territory";
}

words! {
    /// The kind of a time control.
    TimeClass:
    None "none" "no clock";
    Absolute "absolute" "a main time only";
    Byoyomi "byoyomi" "Japanese byo-yomi";
    Canadian "canadian" "Canadian byo-yomi";
    Fischer "fischer" "Fischer time";
    Simple "simple" "a fixed time per move";
}
