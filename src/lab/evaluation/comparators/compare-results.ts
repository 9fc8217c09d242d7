import { unreachable } from '../../../errors.ts';
import type { ComparedResult, MatchOptions, Verdict } from '../../../results/index.ts';
import type { ComparisonPolicy } from '../../corpus/index.ts';
import { compareAnswer } from './compare-answer.ts';
import { compareBird } from './compare-bird.ts';
import { compareDefog } from './compare-defog.ts';
import { compareSpider } from './compare-spider.ts';
import { compareStrict } from './compare-strict.ts';

/** Compares a predicted result with the gold one under a named policy. */
export function compareResults(
  gold: ComparedResult,
  predicted: ComparedResult,
  options: MatchOptions & { readonly policy: ComparisonPolicy },
): Verdict {
  switch (options.policy) {
    case 'spider':
      return compareSpider(gold, predicted, options);
    case 'answer':
      return compareAnswer(gold, predicted, options);
    case 'bird':
      return compareBird(gold, predicted);
    case 'defog':
      return compareDefog(gold, predicted, options);
    case 'strict':
      return compareStrict(gold, predicted);
    default:
      return unreachable(options.policy);
  }
}
