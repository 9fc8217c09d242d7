import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import type { WordUse } from '../api/contract.ts';

interface PointedWord {
  /** The word of the question that somebody looks at. */
  readonly word: WordUse | undefined;
  readonly point: (word: WordUse | undefined) => void;
}

const PointedWordContext = createContext<PointedWord>({ word: undefined, point: () => undefined });

/** Words of the question and the SQL of one card hear of each other; rows and charts between them are not drawn anew. */
export function PointedWordScope({ children }: { readonly children: ReactNode }) {
  const [word, point] = useState<WordUse>();
  const value = useMemo(() => ({ word, point }), [word]);
  return <PointedWordContext value={value}>{children}</PointedWordContext>;
}

export function usePointedWord(): PointedWord {
  return use(PointedWordContext);
}
