import { sql as sqlLanguage } from '@codemirror/lang-sql';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { minimalSetup } from 'codemirror';
import { useEffect, useRef } from 'react';
import { useMessages } from '../i18n/use-messages.ts';
import { type SqlMarks, sqlMarks } from './sql-marks.ts';
import { SQL_THEME } from './sql-theme.ts';

interface SqlEditorProps {
  readonly sql: string;
  readonly marks: Pick<SqlMarks, 'units' | 'evidence'>;
  readonly isEditable: boolean;
  readonly onChange: (sql: string) => void;
  /** Ctrl-Enter. */
  readonly onRun: () => void;
}

/** SQL with its marks, to read or to edit. */
export function SqlEditor({ sql, marks: { units, evidence }, isEditable, onChange, onRun }: SqlEditorProps) {
  const messages = useMessages();
  const box = useRef<HTMLDivElement>(null);
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
          minimalSetup,
          sqlLanguage(),
          EditorView.lineWrapping,
          EditorView.editable.of(isEditable),
          EditorState.readOnly.of(!isEditable),
          EditorView.contentAttributes.of({ 'aria-label': messages.sqlEditor, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) calls.current.onChange(update.state.doc.toString());
          }),
          sqlMarks({ units, evidence, riskText: messages.partRisk }),
          SQL_THEME,
        ],
      }),
    });
    if (isEditable) view.focus();
    return () => view.destroy();
  }, [units, evidence, isEditable, messages]);
  return <div ref={box} className="sql-editor" />;
}

/** The key is taken: nothing else hears of it. */
function isRun(run: () => void): true {
  run();
  return true;
}
