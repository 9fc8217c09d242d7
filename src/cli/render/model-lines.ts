import type { Answer } from '../../answer.ts';
import { escapeControl } from './escape-control.ts';

/** Who wrote it at what cost, and what was mended; empty where no language model was asked. */
export function modelLines({ model }: Answer): string[] {
  if (model === undefined) return [];
  const { id, host, mode, calls, promptTokens, completionTokens, cost, story } = model;
  const used = [
    `${calls} ${calls === 1 ? 'call' : 'calls'}`,
    `${promptTokens.toLocaleString('en')} + ${completionTokens.toLocaleString('en')} tokens`,
    ...(cost === undefined ? [] : [`$${cost.toFixed(4)}`]),
  ].join(', ');
  const where = host === null ? 'nothing left this machine' : `sent to ${host}`;
  return [`${id} (${mode}): ${used}; ${where}`, ...story].map(escapeControl);
}
