// What the parts of the page tell each other, for the type checker alone: browsers never see this.

declare namespace Page {
  type Language = "en" | "ja";

  /** What can stand in an element; lists are opened, and what is nothing is left out. */
  type Child = Node | string | number | boolean | null | undefined | Child[];

  /** Attributes and listeners of an element. */
  interface Props {
    [attribute: string]: string | number | boolean | null | undefined | ((event: any) => unknown);
    onclick?: (event: MouseEvent) => unknown;
    onkeydown?: (event: KeyboardEvent) => unknown;
    onkeyup?: (event: KeyboardEvent) => unknown;
    onsubmit?: (event: SubmitEvent) => unknown;
  }

  /** A line of a list to choose from. */
  type Choice = [value: string | number, text: string];
  type Option = Choice | { label: string; options: Choice[] };

  /** What differs between the games beside their words. */
  interface Look {
    king: string;
    rules?: string;
    back: Record<string, string>;
    walls?: number;
    enough?: number;
    menu: Record<string, string[]>;
    parade: string[];
    exact: string[];
    typed: string;
    deepest: number;
    generations: Record<string, number>;
    published: boolean;
    decided?: boolean;
    digits: number;
  }

  /** Who sits at a side: a person, or the player of a text. */
  interface Player {
    human?: boolean;
    player?: string;
  }
  type Players = Api.BySide<Player>;

  /** Milliseconds: of each side at first, and what each has left. */
  interface Times {
    whole: number;
    first: number;
    second: number;
  }

  /** A game as the browser keeps it. */
  interface Kept {
    game: Api.GameName;
    mode: string;
    rules?: string;
    players: Players;
    start?: string | null;
    moves?: string[];
    view?: number;
    clock?: Times | null;
    late?: Api.Side | null;
  }

  /** A game as the server is told of it. */
  interface GameText {
    game: Api.GameName;
    rules?: string;
    start: string | null;
    moves: string[];
  }

  /** What a pasted text says. */
  interface Pasted {
    game?: string;
    start: string | null;
    moves: string[];
    rules?: string;
  }

  /** What is said of a move on its square. */
  interface Badge {
    kind: string;
    text: string;
  }
  type Worths = Map<string, Badge>;

  /** A wall that a person holds: by `mouse`, `touch` or `keys`. */
  interface Ghost extends Api.WallView {
    by: string;
  }

  /** How the squares of a board are named, and which text of a move is written so. */
  interface Naming {
    notation: number;
    edges(language: Language): Record<string, (string | number)[]>;
    square(column: number, row: number, language: Language): string;
  }

  /** A screen: its element and, if something goes on there, what ends it. */
  interface Screen {
    element: HTMLElement;
    leave?: (() => void) | null;
  }

  /** A line of a chart. */
  interface Series {
    name: string;
    colour: string;
    points: number[][];
    dashed?: boolean;
    dot?: boolean;
    circles?: boolean;
    level?: number;
    band?: number[][];
  }
  interface Plan {
    title: string;
    series: Series[];
  }
  type Bounds = [least: number | null, most: number | null];
  type Zoom = [left: number, right: number] | null;

  /** What is shown of the settings of a run. */
  interface RunSettings {
    preset: Api.Preset;
    seed: number;
    "fix-side"?: Api.Side;
    terminal?: string;
  }
}
