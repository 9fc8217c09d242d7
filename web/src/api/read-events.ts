/** One server-sent event: `data` is JSON, or `[DONE]` at the very end. */
export interface ServerEvent {
  readonly id: number;
  readonly name: string;
  readonly data: string;
}

/** Events of a body as they come. A last event without its empty line is one that was cut off: it is left out. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Comments, which keep a connection open, are no events. */
export function parseEvent(block: string): ServerEvent | undefined {
  const data: string[] = [];
  let name = '';
  let id = 0;
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(\w+):\s?(.*)$/.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'event') name = value;
    else if (field === 'id') id = Number(value);
  }
  return data.length === 0 ? undefined : { id, name, data: data.join('\n') };
}
