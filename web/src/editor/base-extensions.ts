import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { minimalSetup } from 'codemirror';
import { EDITOR_THEME } from './editor-theme.ts';

interface EditorBase {
  /** For those who hear the page. */
  readonly label: string;
  readonly isEditable: boolean;
  readonly onChange: (text: string) => void;
}

/** What every editor of the page is made of. */
export function baseExtensions({ label, isEditable, onChange }: EditorBase): Extension {
  return [
    minimalSetup,
    EditorView.lineWrapping,
    EditorView.editable.of(isEditable),
    EditorState.readOnly.of(!isEditable),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) onChange(state.sliceDoc());
    }),
    EDITOR_THEME,
  ];
}
