import { sql as sqlLanguage } from '@codemirror/lang-sql';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Span } from '../api/contract.ts';
import { baseExtensions } from '../editor/base-extensions.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { LIT_PARTS, lightUp, type SqlMarks, sqlMarks } from './sql-marks.ts';

interface SqlEditorProps {
  readonly sql: string;
  readonly marks: Pick<SqlMarks, 'units' | 'evidence'>;
  /** Parts to light up. */
  readonly lit: readonly Span[];
  readonly isEditable: boolean;
  readonly onChange: (sql: string) => void;
  /** Ctrl-Enter. */
  readonly onRun: () => void;
}

/** SQL with its marks, to read or to edit. */
export function SqlEditor({
  sql,
  marks: { units, evidence },
  lit,
  isEditable,
  onChange,
  onRun,
}: SqlEditorProps) {
  const messages = useMessages();
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const calls = useRef({ onChange, onRun });
  calls.current = { onChange, onRun };

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed must not build the editor anew
  useEffect(() => {
    if (box.current === null) return;
    const view = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: sql,
        extensions: [
          keymap.of([{ key: 'Mod-Enter', run: () => isRun(calls.current.onRun) }]),
          baseExtensions({
            label: messages.sqlEditor,
            isEditable,
            onChange: (text) => calls.current.onChange(text),
          }),
          sqlLanguage(),
          LIT_PARTS,
          sqlMarks({ units, evidence, riskText: messages.partRisk }),
        ],
      }),
    });
    editor.current = view;
    if (isEditable) view.focus();
    return () => view.destroy();
  }, [units, evidence, isEditable, messages]);
  useEffect(() => editor.current?.dispatch({ effects: lightUp.of(lit) }), [lit]);
  return <div ref={box} className="sql-editor" />;
}

/** The key is taken: nothing else hears of it. */
function isRun(run: () => void): true {
  run();
  return true;
}
