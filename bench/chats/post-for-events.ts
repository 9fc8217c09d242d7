import { Agent, request } from 'node:http';

const AGENT = new Agent({ keepAlive: true, maxSockets: Infinity });

/** Sends JSON and reads events to their end; `onPart` hears of each part of the reply as it comes. */
export function postForEvents(
  url: string,
  body: string,
  onPart: () => void,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      accept: 'text/event-stream',
      ...(body !== '' && { 'content-type': 'application/json' }),
    };
    const sent = request(url, { method: 'POST', agent: AGENT, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        onPart();
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
