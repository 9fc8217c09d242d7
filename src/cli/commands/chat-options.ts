import type { AnswerMode } from '../../generation/index.ts';
import type { SessionProperties } from '../../sql/index.ts';
import type { ModelOptions, OutputOptions, ProjectOptions } from '../options.ts';

export interface ChatOptions extends ProjectOptions, OutputOptions, ModelOptions {
  readonly guided?: boolean;
  readonly talk?: string;
  readonly mode?: AnswerMode;
  readonly hint?: string;
  readonly today?: string;
  readonly targetRisk?: number;
  readonly property: SessionProperties;
}
