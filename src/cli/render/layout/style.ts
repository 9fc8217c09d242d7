/** Ways to set text apart on a terminal; every one returns the text unchanged where colour is not wanted. */
export interface Style {
  readonly isOn: boolean;
  bold(text: string): string;
  dim(text: string): string;
  underline(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
}

/** Builds the style for one output. */
export function makeStyle(isOn: boolean): Style {
  const wrap = (open: number, close: number) => (text: string) =>
    isOn && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    isOn,
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    underline: wrap(4, 24),
    green: wrap(32, 39),
    yellow: wrap(33, 39),
    red: wrap(31, 39),
  };
}
