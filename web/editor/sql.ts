import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { EditorState, Prec } from '@codemirror/state'
import { Decoration, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { SQL_KEYWORDS } from '../markdown/sql-tokens.ts'
import { phrases } from './phrases.ts'
import { theme } from './theme.ts'

const sql = StreamLanguage.define<{ comment: boolean }>({
  startState: () => ({ comment: false }),
  token: (stream, state) => {
    if (state.comment || stream.match('/*')) {
      state.comment = !stream.match(/.*?\*\//)
      if (state.comment) stream.skipToEnd()
      return 'comment'
    }
    if (stream.eatSpace()) return null
    if (stream.match(/--.*|#.*/)) return 'comment'
    if (stream.match(/'(''|[^'])*'?/)) return 'string'
    if (stream.match(/"[^"]*"?|`[^`]*`?/)) return 'name'
    if (stream.match(/\d+(\.\d+)?/)) return 'number'
    if (stream.match(/[\p{L}_][\p{L}\p{N}_$]*/u)) return SQL_KEYWORDS.test(stream.current()) ? 'keyword' : null
    stream.next()
    return null
  },
})

const highlightStyle = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--color-faint)' },
  { tag: tags.keyword, color: 'var(--color-accent)', fontWeight: '550' },
  { tag: [tags.string, tags.number], color: 'var(--color-good)' },
])

interface SqlEditorOptions {
  readonly text: string
  readonly label: string
  readonly onChange: (text: string) => void
  /** Called on ⌘Enter or Ctrl+Enter. */
  readonly onSubmit: () => void
}

/** Tab moves the focus out, as in any form field. */
export const openSql = (parent: HTMLElement, { text, label, onChange, onSubmit }: SqlEditorOptions): EditorView =>
  new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        EditorView.lineWrapping,
        sql,
        syntaxHighlighting(highlightStyle),
        theme,
        phrases,
        placeholder('insert into daily_revenue select …'),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
        Prec.highest(
          keymap.of([
            {
              key: 'Mod-Enter',
              run: () => {
                onSubmit()
                return true
              },
            },
          ]),
        ),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
      ],
    }),
  })

export interface Span {
  readonly start: number
  readonly end: number
}

interface SqlViewOptions {
  readonly text: string
  readonly label: string
  /** Shown as marked, with the first one in view. */
  readonly spans: readonly Span[]
}

const mark = Decoration.mark({ class: 'cm-marked' })

/** SQL to read and to select from. It can be focused, so that the arrow keys scroll it. */
export const openSqlView = (parent: HTMLElement, { text, label, spans }: SqlViewOptions): EditorView => {
  // The editor stores every line break as one character.
  const positionOf = (at: number) => at - (text.slice(0, at).match(/\r\n/g)?.length ?? 0)
  const ranges = spans
    .filter(({ start, end }) => start < end && end <= text.length)
    .map(({ start, end }) => mark.range(positionOf(start), positionOf(end)))
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        EditorView.lineWrapping,
        sql,
        syntaxHighlighting(highlightStyle),
        theme,
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
        EditorView.decorations.of(Decoration.set(ranges, true)),
      ],
    }),
  })
  if (ranges[0]) view.dispatch({ effects: EditorView.scrollIntoView(ranges[0].from, { y: 'center' }) })
  return view
}
