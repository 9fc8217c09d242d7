import { sql as sqlLanguage } from '@codemirror/lang-sql';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { FileProblem } from '../api/contract.ts';
import { baseExtensions } from '../editor/base-extensions.ts';
import { offsetOf, PROBLEM_MARKS, showProblems } from './problem-marks.ts';

export interface TextEditorHandle {
  /** Puts the cursor there. */
  readonly goTo: (place: Pick<FileProblem, 'line' | 'column'>) => void;
}

interface TextEditorProps {
  /** At first: what is typed is told by `onChange`. */
  readonly text: string;
  readonly label: string;
  readonly isSql: boolean;
  readonly isEditable: boolean;
  readonly problems: readonly FileProblem[];
  readonly onChange: (text: string) => void;
  /** Ctrl-S. */
  readonly onSave: () => void;
  readonly ref?: Ref<TextEditorHandle>;
}

/** The text of a file with its line numbers and what is wrong with it. */
export default function TextEditor(props: TextEditorProps) {
  const { text, label, isSql, isEditable, problems, ref } = props;
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const typed = useRef(text);
  const calls = useRef(props);
  calls.current = props;

  useEffect(() => {
    if (box.current === null) return;
    const onChange = (now: string): void => {
      typed.current = now;
      calls.current.onChange(now);
    };
    const made = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: typed.current,
        extensions: [
          keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => isSaved(calls.current.onSave) }]),
          lineNumbers(),
          ownLineEnds(typed.current),
          isSql ? sqlLanguage() : [],
          PROBLEM_MARKS,
          baseExtensions({ label, isEditable, onChange }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, [label, isSql, isEditable]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an editor that was built anew has no marks yet
  useEffect(() => {
    view.current?.dispatch({ effects: showProblems.of(problems) });
  }, [problems, label, isSql, isEditable]);

  useImperativeHandle(ref, () => ({
    goTo: (place) => {
      const made = view.current;
      if (made === undefined) return;
      const anchor = offsetOf(made.state.doc, place);
      made.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
      });
      made.focus();
    },
  }));
  return <div ref={box} className="text-editor" />;
}

/** A file of Windows keeps its line ends. */
function ownLineEnds(text: string): Extension {
  const isOfWindows = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  return isOfWindows ? EditorState.lineSeparator.of('\r\n') : [];
}

/** The key is taken: the browser does not save the page. */
function isSaved(save: () => void): true {
  save();
  return true;
}
