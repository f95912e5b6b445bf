import { EditorView } from '@codemirror/view'

/** CodeMirror in the app's colors. */
export const theme = EditorView.theme({
  '&': { fontSize: '0.8125rem', backgroundColor: 'var(--color-bg)', color: 'var(--color-ink)', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--font-mono)', padding: '12px 0', caretColor: 'var(--color-ink)' },
  '.cm-line': { padding: '0 14px' },
  '.cm-scroller': { lineHeight: '1.6' },
  '.cm-gutters': { backgroundColor: 'var(--color-bg)', color: 'var(--color-faint)', border: 'none' },
  '.cm-marked': { backgroundColor: 'var(--color-accent-soft)', boxShadow: '0 0 0 1px var(--color-accent)', borderRadius: '2px' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '.cm-placeholder': { color: 'var(--color-faint)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': { backgroundColor: 'var(--color-accent-soft)' },
  '.cm-tooltip': { backgroundColor: 'var(--color-raised)', border: '1px solid var(--color-line)', borderRadius: '8px', overflow: 'hidden' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '4px 10px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--color-accent-soft)', color: 'var(--color-ink)' },
})
