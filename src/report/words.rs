//! What pictures say, in English and in Japanese.

use crate::game::{GeneInfo, Side};

/// The language of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Japanese.
    Ja,
}

/// The words of one language.
pub(crate) struct Words {
    pub generation: &'static str,
    pub value: &'static str,
    pub weight: &'static str,
    pub score: &'static str,
    pub winner: &'static str,
    pub frozen: &'static str,
    pub paper: &'static str,
    pub untrained: &'static str,
    pub half: &'static str,
    pub strength_title: &'static str,
    pub genes_title: &'static str,
    pub our_runs: &'static str,
    pub coin_tosses: &'static str,
    pub untrained_values: &'static str,
    pub never: &'static str,
    pub of: &'static str,
    pub runs: &'static str,
    pub games_each: &'static str,
    pub percent: &'static str,
    pub values_title: &'static str,
    pub weights_title: &'static str,
    pub champions_title: &'static str,
    pub freeze_title: &'static str,
    pub all_genes: &'static str,
    pub wins: &'static str,
    pub draws: &'static str,
    pub points: &'static str,
    pub one_scale: &'static str,
    pub but_lions: &'static str,
}

impl Words {
    #[cfg(test)]
    fn all(&self) -> String {
        [
            self.generation,
            self.value,
            self.weight,
            self.score,
            self.winner,
            self.frozen,
            self.paper,
            self.untrained,
            self.half,
            self.strength_title,
            self.genes_title,
            self.our_runs,
            self.coin_tosses,
            self.untrained_values,
            self.never,
            self.of,
            self.runs,
            self.games_each,
            self.percent,
            self.values_title,
            self.weights_title,
            self.champions_title,
            self.freeze_title,
            self.all_genes,
            self.wins,
            self.draws,
            self.points,
            self.one_scale,
            self.but_lions,
        ]
        .concat()
    }
}

impl Language {
    /// What pictures call a gene.
    pub(crate) fn gene(self, gene: &GeneInfo) -> &'static str {
        match self {
            Language::En => gene.english,
            Language::Ja => gene.japanese,
        }
    }

    /// What pictures call a side.
    pub(crate) fn side(self, side: Side) -> &'static str {
        match (self, side) {
            (Language::En, Side::First) => "first",
            (Language::En, Side::Second) => "second",
            (Language::Ja, Side::First) => "先手",
            (Language::Ja, Side::Second) => "後手",
        }
    }

    pub(crate) fn words(self) -> &'static Words {
        match self {
            Language::En => &ENGLISH,
            Language::Ja => &JAPANESE,
        }
    }
}

static ENGLISH: Words = Words {
    generation: "generation",
    value: "value",
    weight: "weight",
    score: "score",
    winner: "winner's value",
    frozen: "frozen",
    paper: "paper's result",
    untrained: "as strong as the untrained values",
    half: "50 %",
    strength_title: "Winners against the untrained values (95 % intervals, {n} games a point)",
    genes_title: "Genes of each generation's winner",
    our_runs: "our runs: extremes, quartiles, median",
    coin_tosses: "coin tosses",
    untrained_values: "untrained values",
    never: "never",
    of: "of",
    runs: "{n} runs",
    games_each: "{n} games each",
    percent: "percent",
    values_title: "Evolved values over all seeds",
    weights_title: "Learned weights over all seeds",
    champions_title: "Champions against the untrained values",
    freeze_title: "When genes froze",
    all_genes: "all of them",
    wins: "wins moving {side}",
    draws: "draws moving {side}",
    points: "score (a draw is half a win)",
    one_scale: "value, in a scale in which all pieces{but} add up to as much as the untrained ones (logarithmic)",
    but_lions: " but the lion",
};

static JAPANESE: Words = Words {
    generation: "世代",
    value: "値",
    weight: "重み",
    score: "勝率",
    winner: "優勝個体の値",
    frozen: "固定",
    paper: "論文の結果",
    untrained: "学習前と同じ強さ",
    half: "50 %",
    strength_title: "各世代の優勝個体と学習前の対戦（95 %信頼区間、各点{n}局）",
    genes_title: "各世代の優勝個体の値",
    our_runs: "実行結果（範囲・四分位・中央値）",
    coin_tosses: "乱数による比較",
    untrained_values: "学習前の値",
    never: "未固定",
    of: "/",
    runs: "{n}回の実行",
    games_each: "各{n}局",
    percent: "%",
    values_title: "各実行の優勝個体の値",
    weights_title: "各実行の重み",
    champions_title: "優勝個体と学習前の対戦",
    freeze_title: "値が固定した世代",
    all_genes: "すべて",
    wins: "{side}の勝ち",
    draws: "{side}の引き分け",
    points: "勝ちと引き分け",
    one_scale: "駒{but}の和を学習前と同じにした値（対数軸）",
    but_lions: "（らいおんをのぞく）",
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Weighted;
    use crate::games::hasami::dqn::report::learning_words;
    use crate::games::quoridor::pa::report::pa_words;
    use crate::games::{dobutsu, hasami, kyoto, quoridor};
    use crate::report::picture::missing;

    /// A glyph that is missing is drawn as nothing, silently.
    #[test]
    fn every_word_can_be_drawn() {
        let all = [
            dobutsu::Position::WEIGHTS.genes,
            kyoto::Position::WEIGHTS.genes,
            quoridor::Position::WEIGHTS.genes,
            hasami::Position::WEIGHTS.genes,
        ];
        let genes = all.into_iter().flatten();
        let labels: String = genes.flat_map(|gene| [gene.english, gene.japanese]).collect();
        let languages = [Language::En, Language::Ja];
        let learning = languages
            .map(|language| learning_words(language).concat() + &pa_words(language).concat())
            .concat();
        let sides = languages.map(|language| Side::BOTH.map(|side| language.side(side)).concat()).concat();
        assert_eq!(missing(&[ENGLISH.all(), JAPANESE.all(), labels, learning, sides].concat()), None);
    }
}
