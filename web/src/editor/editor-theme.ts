import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours come from the page, so that one theme serves light and dark. */
export const EDITOR_THEME: Extension = [
  EditorView.theme({
    '&': { backgroundColor: 'var(--code)', color: 'var(--text)', borderRadius: '6px' },
    '.cm-content': { fontFamily: 'var(--mono)', fontSize: '13px', caretColor: 'var(--text)' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
    '.cm-gutters': {
      ...{ backgroundColor: 'var(--code)', color: 'var(--quiet)', border: 'none' },
      ...{ fontFamily: 'var(--mono)', fontSize: '13px' },
    },
    '&.cm-focused': { outline: '2px solid var(--accent)' },
    '.cm-tooltip': { backgroundColor: 'var(--panel)', color: 'var(--text)', border: '1px solid var(--line)' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.keyword, color: 'var(--sql-keyword)', fontWeight: '600' },
      { tag: [tags.string, tags.special(tags.string)], color: 'var(--sql-string)' },
      { tag: tags.number, color: 'var(--sql-number)' },
      { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
    ]),
  ),
];
