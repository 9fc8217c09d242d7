import type { Answer, ModelUse } from '../../answer.ts';
import { escapeControl } from '../../text/index.ts';

/** Who wrote it at what cost, and what was mended; empty where no language model was asked. */
export function modelLines({ model }: Answer): string[] {
  if (model === undefined) return [];
  const { id, mode, calls, promptTokens, completionTokens, cachedTokens, cost, story } = model;
  const cached = cachedTokens ? ` (${cachedTokens.toLocaleString('en')} cached)` : '';
  const used = [
    `${calls} ${calls === 1 ? 'call' : 'calls'}`,
    `${promptTokens.toLocaleString('en')}${cached} + ${completionTokens.toLocaleString('en')} tokens`,
    ...(cost === undefined ? [] : [`$${cost.toFixed(4)}`]),
  ].join(', ');
  return [`${id} (${mode}): ${used}; ${placeOf(model)}`, ...story].map(escapeControl);
}

/** Who was told; a kept reply tells nobody. */
function placeOf({ host, sent = [] }: ModelUse): string {
  if (host === null) return 'nothing left this machine';
  return sent.length > 0 && sent.every(({ outcome }) => outcome === 'replayed')
    ? 'kept replies: nothing was sent'
    : `sent to ${host}`;
}
