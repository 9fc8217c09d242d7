import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { WordUse } from '../api/contract.ts';

/** Long enough to go from a word over others to its reason, which stands below the question. */
const LINGER_MS = 300;

interface PointedWord {
  /** The word of the question that somebody looks at. */
  readonly word: WordUse | undefined;
  /** Another one is looked at, or none; at once. */
  readonly point: (word: WordUse | undefined) => void;
  /** The pointer came to one, or left it: what is in sight stays for a while, since the pointer may be on its way there. */
  readonly pass: (word: WordUse | undefined) => void;
  /** Whether the pointer is on the reason. */
  readonly isOnReason: RefObject<boolean>;
}

const PointedWordContext = createContext<PointedWord>({
  word: undefined,
  point: () => undefined,
  pass: () => undefined,
  isOnReason: { current: false },
});

/** Words of the question and the SQL of one card hear of each other; rows and charts between them are not drawn anew. */
export function PointedWordScope({ children }: { readonly children: ReactNode }) {
  const [word, setWord] = useState<WordUse>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOnReason = useRef(false);
  const point = useCallback((next: WordUse | undefined): void => {
    clearTimeout(timer.current);
    setWord(next);
  }, []);
  const pass = useCallback(
    (next: WordUse | undefined): void => {
      clearTimeout(timer.current);
      if (word === undefined) setWord(next);
      else if (word !== next) timer.current = setTimeout(() => setWord(next), LINGER_MS);
    },
    [word],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  useDismissal(word, point);
  const value = useMemo(() => ({ word, point, pass, isOnReason }), [word, point, pass]);
  return <PointedWordContext value={value}>{children}</PointedWordContext>;
}

/** Escape puts the reason away, wherever the focus is, and does nothing else then. */
function useDismissal(word: WordUse | undefined, point: PointedWord['point']): void {
  useEffect(() => {
    if (word === undefined) return;
    const dismiss = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      point(undefined);
    };
    document.addEventListener('keydown', dismiss, true);
    return () => document.removeEventListener('keydown', dismiss, true);
  }, [word, point]);
}

export function usePointedWord(): PointedWord {
  return use(PointedWordContext);
}
