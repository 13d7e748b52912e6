//! What implements the traits: generic, once for every game.

use std::path::Path;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{
    Choices, Facts, MoveInfo, Notation, Session, Start, TextGame, TextPlayer, TextSearch, TextSpec, TextTree,
    Worths, referee,
};
use crate::experiment::built_in_names;
use crate::game::perft::{divide, perft_parallel};
use crate::game::{
    BoardView, Ending, Genome, GenomeError, Limits, MoveError, Referee, Side, SolutionError, Solutions,
    UnknownVariant, Variant, Verdict, legal_moves,
};
use crate::games::GameName;
use crate::players::{
    BlunderRate, Effort, Forfeit, Playable, Player, PlayerKind, PlayerSpec, Shelf, SpecError, entries, help,
    worth_of_moves,
};
use crate::search::{ByValue, Config, Deepening, SearchInfo, SearchLimits, Tried};

/// A game with its solutions.
pub(super) struct Of<G: Playable> {
    facts: Facts,
    solutions: G::Solutions,
}

impl<G: Playable> Of<G> {
    pub(super) fn new(name: GameName, table: Option<&Path>) -> Of<G> {
        let facts = Facts {
            name,
            title: G::TITLE,
            variant: G::VARIANT,
            common_rules: G::common_rules().to_string(),
            rules: Choices::of::<G::Rules>(),
            arrays: Choices::of::<G::Array>(),
            styles: Choices::of::<G::Style>(),
            notations: G::NOTATIONS,
            sides: G::SIDES,
            ply_cap: G::PLY_CAP,
            weights: G::WEIGHTS,
            experiments: built_in_names::<G>(),
            solved: G::Solutions::SOLVED,
            levels: G::OFFER.levels,
        };
        Of { facts, solutions: G::Solutions::at(table) }
    }
}

/// The choice of this name, or the usual one, by its own name.
fn name_of<V: Variant>(text: Option<&str>) -> Result<&'static str, UnknownVariant> {
    let chosen = text.map_or(Ok(V::default()), str::parse)?;
    let place = V::VARIANTS.iter().position(|variant| *variant == chosen);
    Ok(V::names()[place.unwrap_or_default()])
}

impl<G: Playable> TextGame for Of<G> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn rules(&self, text: Option<&str>) -> Result<&'static str, UnknownVariant> {
        name_of::<G::Rules>(text)
    }

    fn style(&self, text: Option<&str>) -> Result<&'static str, UnknownVariant> {
        name_of::<G::Style>(text)
    }

    fn session(
        &self,
        rules: &str,
        start: Start<'_>,
        limits: Option<Limits>,
    ) -> Result<Box<dyn Session>, String> {
        let wrong = |error: UnknownVariant| error.to_string();
        let rules: G::Rules = rules.parse().map_err(wrong)?;
        let position = match start {
            Start::Usual => Ok(G::start(rules)),
            Start::Array(name) => Ok(G::start_from(name.parse().map_err(wrong)?, rules)),
            Start::Fen(text) => G::parse(text, rules),
            Start::Sfen(text) => G::parse_sfen(text, rules),
        };
        let position = position.map_err(|error| error.to_string())?;
        Ok(Box::new(Referee::within(position, limits.unwrap_or(Limits::of::<G>()))))
    }

    fn genome(&self, text: &str) -> Result<Vec<i32>, GenomeError> {
        Ok(Genome::<G>::from_toml(text)?.values().to_vec())
    }

    fn players(&self) -> Vec<PlayerKind> {
        entries::<G>().into_iter().map(PlayerKind::untyped).collect()
    }

    fn players_help(&self) -> String {
        help::<G>()
    }

    fn player(&self, text: &str, shelf: &dyn Shelf) -> Result<Arc<dyn TextSpec>, SpecError> {
        Ok(Arc::new(PlayerSpec::<G>::parse_with(text, shelf)?.with_solutions(&self.solutions)))
    }

    fn is_solved(&self, rules: &str) -> bool {
        rules.parse().is_ok_and(|rules| self.solutions.is_there(rules))
    }

    fn solution(&self, rules: &str) -> Result<Worths, SolutionError> {
        let rules = rules.parse().map_err(|error: UnknownVariant| SolutionError::Table(error.to_string()))?;
        let solution = self.solutions.get(rules)?;
        Ok(Arc::new(move |game| {
            let game = referee::<G>(game);
            let text = |m: G::Move| game.position().move_text(m);
            worth_of_moves(game, &*solution).into_iter().map(|(m, worth)| (text(m), worth)).collect()
        }))
    }

    fn search(&self) -> TextSearch {
        let evaluator = G::evaluator(&Genome::named(G::WEIGHTS.strong).unwrap_or_else(Genome::untrained));
        let mut search = Deepening::new(evaluator.clone(), ByValue(evaluator), Config::EXACT);
        Box::new(move |game, limits| {
            let position = referee::<G>(game).position();
            let found = search.search(position, limits, &mut |_| ())?;
            Some(info_text(position, &found, Notation::Usual))
        })
    }
}

fn move_text<G: Playable>(position: &G, m: G::Move, notation: Notation) -> String {
    match notation {
        Notation::Usual => position.move_text(m),
        Notation::Usi => position.usi(m),
    }
}

fn move_info<G: Playable>(position: &G, m: G::Move) -> MoveInfo {
    let mut texts = position.move_texts(m);
    texts.truncate(G::NOTATIONS.len());
    MoveInfo {
        text: texts.remove(0),
        others: texts,
        side: position.side_to_move(),
        repeats: false,
        view: position.view_move(m),
    }
}

fn info_text<G: Playable>(
    position: &G,
    found: &SearchInfo<G::Move>,
    notation: Notation,
) -> SearchInfo<String> {
    let mut place = *position;
    let text = |m: &G::Move| {
        let text = move_text(&place, *m, notation);
        place = place.play(*m);
        text
    };
    SearchInfo {
        line: found.line.iter().map(text).collect(),
        best: move_text(position, found.best, notation),
        value: found.value,
        depth: found.depth,
        nodes: found.nodes,
    }
}

impl<G: Playable> Session for Referee<G> {
    fn copy(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }

    fn rules(&self) -> String {
        self.position().rules().to_string()
    }

    fn start(&self) -> String {
        self.positions()[0].to_string()
    }

    fn fen(&self) -> String {
        self.position().to_string()
    }

    fn turn(&self) -> Side {
        self.position().side_to_move()
    }

    fn board(&self) -> BoardView {
        self.position().board()
    }

    fn diagram(&self, style: &str) -> String {
        self.position().diagram(style.parse().unwrap_or_default())
    }

    fn moves(&self) -> Vec<MoveInfo> {
        let mut after = self.clone();
        let info = |m: G::Move| {
            after.play(m);
            let repeats = after.verdict().is_some_and(|verdict| verdict.by == Ending::Repetition);
            after.undo();
            MoveInfo { repeats, ..move_info(self.position(), m) }
        };
        legal_moves(self.position()).into_iter().map(info).collect()
    }

    fn history(&self) -> Vec<MoveInfo> {
        self.positions().iter().zip(Referee::moves(self)).map(|(before, m)| move_info(before, *m)).collect()
    }

    fn plies(&self) -> usize {
        Referee::moves(self).len()
    }

    fn verdict(&self) -> Option<Verdict> {
        self.verdict()
    }

    fn is_decided(&self) -> bool {
        self.position().outcome().is_some()
    }

    fn occurrences(&self) -> usize {
        self.occurrences()
    }

    fn repetitions(&self) -> Option<usize> {
        G::repetitions(self.position().rules())
    }

    fn play(&mut self, text: &str) -> Result<(), MoveError> {
        self.play(self.position().parse_move(text)?);
        Ok(())
    }

    fn hear(&mut self, text: &str) -> Result<(), MoveError> {
        self.play(self.position().heard_move(text)?);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.undo().is_some()
    }

    fn perft(&self, depth: u32) -> u64 {
        perft_parallel(self.position(), depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let position = self.position();
        divide(position, depth).into_iter().map(|(m, count)| (position.move_text(m), count)).collect()
    }
}

impl<G: Playable> TextSpec for PlayerSpec<G> {
    fn check(&self, rules: &str) -> Result<(), SpecError> {
        self.check(rules.parse()?)
    }

    fn effort(&self) -> Effort {
        self.effort()
    }

    fn blunders(&self) -> BlunderRate {
        self.blunders()
    }

    fn build(&self) -> Box<dyn TextPlayer> {
        Box::new(self.build())
    }

    fn tree(&self, game: &dyn Session) -> Option<TextTree> {
        let game = referee::<G>(game);
        let text = |m: G::Move| game.position().move_text(m);
        let tree = self.tree(game)?;
        let tried = |Tried { m, prior, visits, value, proven }: Tried<G::Move>| Tried {
            m: text(m),
            prior,
            visits,
            value,
            proven,
        };
        Some(TextTree {
            best: text(tree.best()),
            tried: tree.tried().into_iter().map(tried).collect(),
            value: tree.value(),
            own_value: tree.own_value(),
        })
    }
}

impl<G: Playable> TextPlayer for Box<dyn Player<G>> {
    fn choose(
        &mut self,
        game: &dyn Session,
        random: &mut ChaCha8Rng,
        limits: &SearchLimits,
        notation: Notation,
        on_info: &mut dyn FnMut(&SearchInfo<String>),
    ) -> Result<String, Forfeit> {
        let game = referee::<G>(game);
        let position = game.position();
        let mut tell = |found: &SearchInfo<G::Move>| on_info(&info_text(position, found, notation));
        let m = (**self).choose(game, random, limits, &mut tell)?;
        Ok(move_text(position, m, notation))
    }
}
