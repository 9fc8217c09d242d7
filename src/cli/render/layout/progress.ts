import { escapeControl } from '../../../lib/index.ts';
import type { Output } from '../../terminal/io.ts';
import { fitText } from './text-layout.ts';

interface ProgressEvent {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  readonly table?: string;
  readonly etaSeconds?: number;
  /** Something to know that is no step: printed on a line of its own. */
  readonly message?: string;
}

export interface Progress {
  report(event: ProgressEvent): void;
  /** Ends the line in place; call before anything else is printed. */
  clear(): void;
}

/** What the stages of onboarding are called; other stages are shown by their own name. */
const STAGE_NAMES: Readonly<Record<string, string>> = {
  files: 'loading files',
  schema: 'reading the schema',
  profiles: 'profiling',
  keys: 'looking for keys',
  values: 'indexing values',
  store: 'storing',
  clusters: 'clustering tables',
  search: 'indexing names and notes',
  vectors: 'making vectors',
  'link schema': 'choosing the part of the schema',
  write: 'the model writes',
  describe: 'the model describes',
  select: 'choosing among the candidates',
  score: 'assessing the query',
  execute: 'running the query',
};

/** How often a terminal line is drawn anew; faster only flickers. */
const FRAME_MS = 80;

/** Shows how far a long step is: one line in place on a terminal, one line per stage elsewhere. */
export function makeProgress(output: Output, isQuiet: boolean): Progress {
  if (isQuiet) return { report: () => {}, clear: () => {} };
  return output.isTerminal ? liveLine(output) : linePerStage(output);
}

function liveLine(output: Output): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  return {
    report(event) {
      if (event.message !== undefined) {
        output.write(`${isDrawn ? '\r\u001b[2K' : ''}${escapeControl(event.message)}\n`);
        isDrawn = false;
        return;
      }
      const now = performance.now();
      if (now - drawnAt < FRAME_MS && event.done < event.total) return;
      drawnAt = now;
      isDrawn = true;
      output.write(`\r\u001b[2K${fitText(progressText(event), (output.columns ?? 80) - 1)}`);
    },
    clear() {
      if (isDrawn) output.write('\r\u001b[2K');
      isDrawn = false;
    },
  };
}

function linePerStage(output: Output): Progress {
  let stage = '';
  return {
    report(event) {
      if (event.message !== undefined) output.write(`${escapeControl(event.message)}\n`);
      if (event.message !== undefined || event.stage === stage) return;
      stage = event.stage;
      output.write(`${nameOf(stage)} …\n`);
    },
    clear: () => {},
  };
}

function progressText({ stage, done, total, table, etaSeconds }: ProgressEvent): string {
  const share = total > 0 ? ` ${Math.min(100, Math.floor((100 * done) / total))} %` : '';
  const eta = etaSeconds === undefined || etaSeconds < 1 ? '' : `, about ${Math.ceil(etaSeconds)} s left`;
  return `${nameOf(stage)}${share}${table ? ` ${escapeControl(table)}` : ''}${eta}`;
}

function nameOf(stage: string): string {
  return STAGE_NAMES[stage] ?? escapeControl(stage);
}
