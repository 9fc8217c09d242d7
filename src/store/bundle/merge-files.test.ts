import { describe, expect, it } from 'vitest';
import { mergeFiles, type SentFile } from './publish-bundle.ts';

/** `manifest.json:1 usage.sqlite:2`: paths with what stands in them. */
function files(text: string): SentFile[] {
  return text.split(' ').flatMap((each) => {
    const [path = '', content = ''] = each.split(':');
    return path === '' ? [] : [{ path, bytes: 1, chunks: [content] }];
  });
}

describe('mergeFiles', () => {
  it.each<[string, string, string, string, string]>([
    ['takes what others changed', 'a:1 b:1', 'a:1 b:1', 'a:1 b:2', 'a:1 b:2'],
    ['keeps what is changed here', 'a:2 b:1', 'a:1 b:1', 'a:1 b:2', 'a:2 b:2'],
    ['keeps what is changed on both sides as it is here', 'a:2', 'a:1', 'a:3', 'a:2'],
    ['takes what came there, and keeps what came here', 'a:1 c:1', 'a:1', 'a:1 b:1', 'a:1 b:1 c:1'],
    ['leaves out what was removed there', 'a:1 b:1', 'a:1 b:1', 'a:1', 'a:1'],
    ['leaves out what was removed here', 'a:1', 'a:1 b:1', 'a:1 b:1', 'a:1'],
    [
      'takes files that tell of one another from one side',
      'manifest.json:2 tables.jsonl:1 usage.sqlite:1',
      'manifest.json:1 tables.jsonl:1 usage.sqlite:1',
      'manifest.json:3 tables.jsonl:3 usage.sqlite:3',
      'manifest.json:2 tables.jsonl:1 usage.sqlite:3',
    ],
    ['is all of ours where nothing is known of before', 'a:1', '', 'a:2 b:1', 'a:1 b:1'],
  ])('%s', (_, ours, base, newest, merged) => {
    expect(mergeFiles(files(ours), files(base), files(newest))).toEqual(files(merged));
  });
});
