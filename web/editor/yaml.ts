import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { EditorState, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { phrases } from './phrases.ts'
import { theme } from './theme.ts'

/** CodeMirror for YAML: line numbers, because errors are reported by line, and basic highlighting. */
const yaml = StreamLanguage.define({
  token: (stream) => {
    if (stream.eatSpace()) return null
    if (stream.match(/#.*/)) return 'comment'
    if (stream.match(/-(?=\s|$)/)) return 'punctuation'
    if (stream.match(/[\w.-]+(?=\s*:(\s|$))/)) return 'propertyName'
    if (stream.match(/"(\\.|[^"\\])*"?|'(''|[^'])*'?/)) return 'string'
    if (stream.match(/(-?\d+(\.\d+)?|true|false|null)(?=[\s,\]}]|$)/)) return 'number'
    stream.next()
    stream.eatWhile(/[^\s#{}[\],]/)
    return null
  },
})

const highlightStyle = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--color-faint)' },
  { tag: tags.propertyName, color: 'var(--color-accent)' },
  { tag: [tags.string, tags.number], color: 'var(--color-good)' },
])

const lineTheme = EditorView.theme({
  '.cm-gutters': { backgroundColor: 'var(--color-sunken)', color: 'var(--color-faint)', borderRight: '1px solid var(--color-line)' },
  '.cm-wrong': { backgroundColor: 'var(--color-bad-soft)' },
})

/** Lines with errors, highlighted until the text changes. */
const setErrorLines = StateEffect.define<readonly number[]>()
const ERROR_LINE = Decoration.line({ class: 'cm-wrong' })
const errorLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, { effects, docChanged, state }) => {
    const effect = effects.find((effect) => effect.is(setErrorLines))
    if (effect)
      return Decoration.set(
        effect.value.filter((line) => line >= 1 && line <= state.doc.lines).map((line) => ERROR_LINE.range(state.doc.line(line).from)),
        true,
      )
    return docChanged ? Decoration.none : before
  },
  provide: (field) => EditorView.decorations.from(field),
})

interface YamlEditorOptions {
  readonly text: string
  readonly label: string
  readonly readOnly: boolean
  readonly onChange: (text: string) => void
}

export const openYaml = (parent: HTMLElement, { text, label, readOnly, onChange }: YamlEditorOptions): EditorView =>
  new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorState.readOnly.of(readOnly),
        history(),
        lineNumbers(),
        errorLines,
        yaml,
        syntaxHighlighting(highlightStyle),
        theme,
        phrases,
        lineTheme,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
        keymap.of([...defaultKeymap, ...historyKeymap, ...(readOnly ? [] : [indentWithTab])]),
        EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
      ],
    }),
  })

export const highlightLines = (view: EditorView, lines: readonly number[]): void => view.dispatch({ effects: setErrorLines.of(lines) })

/** Moves the cursor to a line and scrolls to it. */
export const goToLine = (view: EditorView, line: number): void => {
  const { from } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines))
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
  view.focus()
}
