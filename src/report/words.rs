//! What pictures say, in English and in Japanese.

use crate::eval::GeneInfo;

/// The language of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Japanese.
    Ja,
}

/// The words of one language.
pub(super) struct Words {
    pub generation: &'static str,
    pub value: &'static str,
    pub score: &'static str,
    pub winner: &'static str,
    pub frozen: &'static str,
    pub paper: &'static str,
    pub untrained: &'static str,
    pub strength_title: &'static str,
    pub genes_title: &'static str,
}

impl Words {
    #[cfg(test)]
    fn all(&self) -> String {
        let rest = [self.generation, self.value, self.score, self.winner, self.frozen, self.paper];
        let titles = [self.untrained, self.strength_title, self.genes_title];
        [rest.concat(), titles.concat()].concat()
    }
}

impl Language {
    /// What pictures call a gene.
    pub(super) fn gene(self, gene: &GeneInfo) -> &'static str {
        match self {
            Language::En => gene.english,
            Language::Ja => gene.japanese,
        }
    }

    pub(super) fn words(self) -> &'static Words {
        match self {
            Language::En => &ENGLISH,
            Language::Ja => &JAPANESE,
        }
    }
}

static ENGLISH: Words = Words {
    generation: "generation",
    value: "value",
    score: "score",
    winner: "winner's value",
    frozen: "frozen",
    paper: "paper's result",
    untrained: "as strong as the untrained values",
    strength_title: "Winners against the untrained values (95 % intervals)",
    genes_title: "Genes of each generation's winner",
};

static JAPANESE: Words = Words {
    generation: "世代",
    value: "値",
    score: "勝率",
    winner: "優勝個体の値",
    frozen: "固定",
    paper: "論文の結果",
    untrained: "学習前と同じ強さ",
    strength_title: "各世代の優勝個体と学習前の対戦（95 %信頼区間）",
    genes_title: "各世代の優勝個体の値",
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weighted;
    use crate::games::{dobutsu, hasami, kyoto, quoridor};
    use crate::report::dqn::learning_words;
    use ab_glyph::{Font, FontRef};

    /// A glyph that is missing is drawn as nothing, silently.
    #[test]
    fn every_word_can_be_drawn() {
        let font = FontRef::try_from_slice(super::super::picture::FONT).unwrap();
        let all = [
            dobutsu::Position::GENES,
            kyoto::Position::GENES,
            quoridor::Position::GENES,
            hasami::Position::GENES,
        ];
        let genes = all.into_iter().flatten();
        let labels: String = genes.flat_map(|gene| [gene.english, gene.japanese]).collect();
        let learning =
            [Language::En, Language::Ja].map(|language| learning_words(language).concat()).concat();
        for c in [ENGLISH.all(), JAPANESE.all(), labels, learning].concat().chars() {
            assert_ne!(font.glyph_id(c).0, 0, "{c} has no glyph");
        }
    }
}
