// Made from the Rust structs by `UPDATE_API_TYPES=1 cargo test --test web api_types`: what the server answers.

declare namespace Api {
  type GameName = "dobutsu" | "kyoto" | "quoridor" | "hasami";
  type Preset = "paper" | "robust";
  type AlphaZeroPreset = "small" | "paper";
  type GeneSet = string;
  type PageLanguage = "en" | "ja";
  /** The answer to `GET /api/runs`. */
  interface Runs { overview: string | null; running: string[]; runs: Line[]; }
  /** One of the two players. The first player moves first. */
  type Side = "first" | "second";

  /** One `T` for each player, indexed by [`Side`] and by nothing else. */
  interface BySide<T> {
    /** What belongs to the first player. */
    first: T;
    /** What belongs to the second player. */
    second: T;
  }

  /** A wall, two squares long. */
  interface WallView {
    /** The square at the lower left of its middle. */
    corner: number;
    /** Whether it stands upright, between two columns; else it lies across, between two rows. */
    upright: boolean;
  }

  /** A piece on the board. */
  interface PieceView {
    /** Whose it is. */
    side: Side;
    /** What it is. */
    kind: string;
  }

  /** Pieces of a kind in hand. */
  interface HeldView {
    /** What it is. */
    kind: string;
    /** How many. */
    count: number;
  }

  /** What a move does. */
  interface MoveView {
    /** What moves, as it stands before; what is dropped, as it stands after. */
    piece: string;
    /** From which square; `None` for a drop. */
    from: number | null;
    /** To which square. */
    to: number;
    /** Which of the pieces in hand is dropped, if one is. */
    held: string | null;
    /** What it is afterwards, if that is something else. */
    becomes: string | null;
    /** What it captures. */
    captures: string | null;
    /** From which squares, in a game that captures elsewhere than where it goes. */
    taken?: number[];
    /** Which wall is placed, if one is. */
    wall?: WallView;
  }

  /** A move, with all that is needed to show it without knowing the rules. */
  interface MoveInfo extends MoveView {
    /** The usual text. */
    text: string;
    /** The same in the game's other notations. */
    others: string[];
    /** Who makes it. */
    side: Side;
    /** Whether it ends the game because a position has come up too often; known of legal moves only. */
    repeats?: boolean;
  }

  /** All that a page shows of a game. */
  interface StateInfo {
    game: GameName;
    rules: string;
    start: string;
    fen: string;
    turn: Side;
    /** How many squares a row has. */
    columns: number;
    /** The squares row by row, from the top left as the first player sees it. */
    board: (PieceView | null)[];
    hands: BySide<HeldView[]>;
    /** Whether the king of the side to move, or what it has for one, is in danger. */
    check: boolean;
    /** The walls that stand, in a game that has walls. */
    walls?: WallView[];
    /** The squares on each side's shortest ways, in a game that has such ways. */
    ways?: BySide<number[]>;
    /** How often the position has come up, and how often ends the game. */
    occurrences: number;
    repetitions: number | null;
    /** What can be played now. */
    moves: MoveInfo[];
    /** What has been played. */
    history: MoveInfo[];
    verdict: VerdictInfo | null;
  }

  interface VerdictInfo {
    winner: string;
    by: string;
  }

  /** A move, and what the game looks like after it. */
  interface Answer {
    move: string;
    state: StateInfo;
  }

  /** An opponent of the ladder. */
  interface Level {
    /** How hard it is, in a word: the page has a name for each. */
    key: string;
    /** The piece whose picture it wears. */
    piece: string;
    /** Who plays. */
    player: string;
  }

  /** Whom one can play against in a game. */
  interface Offers {
    /** How deep a player of this game may look, and how deep it looks unless asked otherwise. */
    deepest: number;
    depth: number;
    game: GameName;
    games: Offered[];
    /** From the easiest to the strongest. */
    levels: Rung[];
    opponents: Offer[];
    /** The rules under which there is perfect play here. */
    perfect: string[];
    rules: string[];
  }

  /** A game, as a list shows it. */
  interface Offered {
    name: GameName;
    rules: string[];
    title: string;
  }

  /** One line of the list. */
  interface Offer {
    /** What `player` must be to play against it, to which `:depth=N`, `:time=T` or `:simulations=N` can be added. */
    player: string;
    /** What kind it is: the page has words for each. */
    group: string;
    /** What tells it from others of its kind. */
    label: string;
    /** What can be chosen about it: `depth`, `time`, `simulations` or nothing. */
    takes: string | null;
    /** How well it did against the untrained values, from 0 to 1. */
    score: number | null;
  }

  /** A step of the ladder. */
  interface Rung extends Level {
    /** How many plies it looks ahead; nothing if it knows the game. */
    depth: number | null;
    /** How likely each of its moves is made at a glance. */
    slips: number;
    /** How likely it is then to see each move that it could make. */
    sees: number;
    /** By which rules it can play here. */
    rules: string[];
  }

  /** What a position or a move is worth, in the words of the page. */
  interface Worth {
    /** In how many plies the game is won or lost. */
    plies: number | null;
    /** The estimate of a search that sees no end. */
    points: number | null;
    /** `win`, `loss`, `draw` or `points`. */
    result: string;
  }

  /** What is thought of the moves of a position, and who thinks so. */
  type Analysis = ({ source: "over" } & NoWorths) | ({ source: "table" } & Worths) | ({ source: "search" } & Worths) | ({ source: "network" } & Thoughts);

  /** The game is over: there are no moves. */
  interface NoWorths {
    moves: [];
  }

  /** What the table or a search says. */
  interface Worths {
    /** How many plies a search looked ahead. */
    depth: number | null;
    /** How likely the first player is to win. */
    first: number;
    /** How the game goes on if both play as well as is known. */
    line: string[];
    /** The best first. */
    moves: MoveWorth[];
    value: Worth;
  }

  /** What a move is worth. */
  interface MoveWorth extends Worth {
    best: boolean;
    text: string;
  }

  /** What a network says. */
  interface Thoughts {
    /** How likely the first player is to win. */
    first: number;
    /** The best first. */
    moves: Thought[];
    /** What the network thinks of the position at first sight, from -1 to 1. */
    own: number;
    /** How often moves were tried. */
    simulations: number;
    /** What the position is worth after that, from -1 to 1. */
    value: number;
  }

  /** What a network thinks of a move. */
  interface Thought {
    best: boolean;
    /** How likely the policy makes it. */
    prior: number;
    /** Whether its value is known for sure. */
    proven: boolean;
    /** Which part of all tries it had. */
    share: number;
    text: string;
    /** From -1 to 1; nothing if it was never tried. */
    value: number | null;
    visits: number;
  }

  /** What was found. */
  interface Review {
    /** `table` or `search`. */
    source: string;
    plies: Ply[];
  }

  /** A move that was played. */
  interface Ply {
    /** The number of the move, from 1. */
    ply: number;
    side: Side;
    /** How likely the first player was to win before it, and is after it. */
    before: number;
    after: number;
    /** What it was worth to who made it, and what the best one was. */
    worth: Worth;
    best: Worth;
    best_move: MoveInfo;
    /** `?` for a mistake, `??` for a bad one, else nothing. */
    mark: string;
  }

  /** What the paper says of one run of the tuner; nothing, where there is no such paper. */
  interface PaperRun {
    /** Which of its tables. */
    table: string;
    /** The piece values. */
    genes?: number[];
    /** The weights, where they are no whole numbers. */
    weights?: number[];
    /** The generations at which they froze. */
    frozen?: number[];
    /** Against the untrained values, moving first. */
    first?: PaperStrength;
    /** Against the untrained values, moving second. */
    second?: PaperStrength;
  }

  /** How the paper's champion fared. */
  interface PaperStrength {
    /** Games won, in percent. */
    wins: number;
    /** Games drawn, in percent. */
    draws: number;
    /** How many games. */
    games: number;
  }

  /** One line of the list. */
  type Line = ({ kind: "experiment" } & ArticleLine) | ({ kind: "learner" } & LearnerLine) | ({ kind: "run" } & RunLine) | ({ kind: "sweep" } & SweepLine);

  /** An experiment, or another page to read. */
  interface ArticleLine {
    game: GameName;
    id: string;
    /** The file of a picture. */
    picture: string | null;
    title: string;
  }

  /** A run of the tuner. */
  interface RunLine {
    /** Why it has failed, if it has. */
    failure: string | null;
    game: GameName;
    id: string;
    /** The last generation there can be. */
    last: number;
    /** In how many seconds it should be over, if that is known. */
    left: number | null;
    preset: Preset;
    /** The last generation so far. */
    reached: number;
    seed: number;
    side: Side | null;
    /** `running`, `finished`, `stopped` or `failed`. */
    state: string;
  }

  /** The same with many seeds. */
  interface SweepLine {
    game: GameName;
    id: string;
    preset: Preset;
  }

  /** Everything about one run. */
  type Detail = ({ kind: "experiment" } & Article) | ({ kind: "learner" } & LearnerDetail) | ({ kind: "run" } & RunDetail) | ({ kind: "sweep" } & Article);

  /** What there is to read of an experiment or a sweep. */
  interface Article {
    chart: ChartInfo | null;
    files: FileInfo[];
    id: string;
    markdown: string | null;
  }

  /** Lines over the generations. */
  interface ChartInfo {
    /** What the paper has, if it is one value. */
    level: number | null;
    series: ChartLine[];
    /** What is measured. */
    y: string;
  }

  interface ChartLine {
    name: string;
    points: [number, number][];
  }

  /** A run of the tuner with its generations. */
  interface RunDetail {
    /** The values of its champion. */
    champion: number[] | null;
    failure: string | null;
    files: FileInfo[];
    game: GameName;
    genes: string[];
    id: string;
    /** What the genes are called. */
    labels: Labels;
    last: number;
    left: number | null;
    markdown: string | null;
    paper: PaperRun | null;
    /** The command that goes on with it, if it was stopped. */
    resume: string | null;
    rows: Row[];
    settings: unknown;
    state: string;
    /** Generation, score and the interval of the score, of the winners against the untrained values. */
    strength: [number, number, number, number][];
    /** How many games a side that took, if it was measured here. */
    strength_games: number | null;
    untrained: number[];
  }

  interface Labels {
    en: string[];
    ja: string[];
  }

  /** A generation: its number, the winner's points, the mean of all, the winner's values, the means, and which genes are frozen. */
  type Row = [number, number, number, number[], number[], string[]];

  /** A network that learns, as a line of the list. */
  interface LearnerLine {
    /** How many cycles there will be, and how many are done. */
    cycles: number;
    done: number;
    game: GameName;
    id: string;
    /** In how many seconds it should be over, if that is known. */
    left: number | null;
    preset: AlphaZeroPreset;
    rules: string;
    seed: number;
    /** `running`, `finished` or `stopped`. */
    state: string;
  }

  /** The same with the table of its cycles. */
  interface LearnerDetail extends LearnerLine {
    columns: string[];
    files: FileInfo[];
    /** Whether its network can be played against. */
    network: boolean;
    /** The command that goes on with it, if it was stopped. */
    resume: string | null;
    rows: ((number | null)[])[];
  }

  /** The answer that tells it. */
  interface Refusal {
    code?: string;
    error: string;
    with?: string[];
  }

  /** A file of a run's folder. */
  interface FileInfo {
    bytes: number;
    name: string;
  }

  /** The best individuals of a run. */
  interface CurveInfo {
    best: CurveBest[];
    /** How many generations the run has. */
    generations: number;
  }

  /** The best candidate of some generations. */
  interface CurveBest {
    /** The first of them; the first of a run is 1. */
    generation: number;
    /** The sum of its absolute errors. */
    error: number;
    /** Its values at t = 0.1, 0.2 … 2.0. */
    genes: number[];
  }

  /** What can be chosen about a run on the page. */
  interface Wanted {
    game?: GameName;
    preset?: Preset;
    genes?: GeneSet;
    seed?: unknown;
    side?: Side | null;
    generations?: unknown;
    /** That of the pictures. */
    language?: PageLanguage;
  }
}
