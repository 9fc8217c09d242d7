import { describe, expect, it } from 'vitest';
import { isStopWord, type StopWordClass } from './stop-words.ts';

describe('isStopWord', () => {
  it.each<[word: string, classes: readonly StopWordClass[]]>([
    ['the', ['value', 'search', 'question']],
    ['which', ['value', 'search', 'question', 'clause']],
    ['between', ['search', 'question']],
    ['within', ['question']],
    ['why', ['value', 'search']],
    ['into', ['search', 'question', 'clause']],
    ['through', ['search']],
    ['orders', []],
    ['The', []],
    ['', []],
  ])('%j is one of %j', (word, classes) => {
    const all: readonly StopWordClass[] = ['value', 'search', 'question', 'clause'];
    expect(all.filter((of) => isStopWord(word, of))).toEqual(classes);
  });
});
