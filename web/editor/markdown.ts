import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { GFM, parser } from '@lezer/markdown'
import { api } from '../api/client.ts'
import { peopleQuery } from '../api/picker-options.ts'
import { queryClient } from '../api/query-client.ts'
import type { SearchPage } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { detectLineSeparator } from './line-endings.ts'
import { findTypedMention, MAX_PEOPLE } from './mentions.ts'
import { phrases } from './phrases.ts'
import { theme } from './theme.ts'

/** CodeMirror for Markdown only: its own Markdown package would add three more languages to the bundle. */
const markdown = new Language(defineLanguageFacet(), parser.configure(GFM), [], 'markdown')

const highlightStyle = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--color-accent)' },
  { tag: tags.monospace, color: 'var(--color-good)' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], color: 'var(--color-faint)' },
  { tag: tags.quote, color: 'var(--color-soft)' },
])

const MIN_SEARCH_LENGTH = 2

/** `@ad` suggests people, and inserts the mention that notifies the selected one; `@ord` also suggests resources, and inserts a link. */
const completeMentions = async ({ state, pos }: CompletionContext, seesPeople: boolean): Promise<CompletionResult | null> => {
  const line = state.doc.lineAt(pos)
  const typed = findTypedMention(line.text.slice(0, pos - line.from))
  if (typed === undefined) return null
  const [people, resources] = await Promise.all([
    seesPeople ? queryClient.fetchQuery(peopleQuery(typed)).then(({ results }) => results.slice(0, MAX_PEOPLE)) : [],
    typed.length < MIN_SEARCH_LENGTH
      ? []
      : api.get<SearchPage>('/search', { query: { q: typed, page_size: 8, facets: false } }).then(({ results }) => results),
  ])
  return {
    from: pos - typed.length - 1,
    filter: false,
    options: [
      ...people.map(({ name, email }) => ({ label: name, detail: email, apply: `@${email} ` })),
      ...resources.map(({ id, title, title_full }) => ({
        label: title,
        detail: title_full,
        apply: `[${title.replaceAll(/[[\]]/g, '\\$&')}](/r/${id})`,
      })),
    ],
  }
}

type FileHandler = (view: EditorView, files: readonly File[]) => void

/** A URL pasted over selected text makes it a link; that of a resource always becomes one, shown with the title of the resource; pasted and dropped files are attached. */
const pasteHandler = (onFiles: FileHandler) =>
  EditorView.domEventHandlers({
    paste: ({ clipboardData }, view) => {
      const text = clipboardData?.getData('text/plain').trim() ?? ''
      if (text === '') return takeFiles(view, clipboardData, onFiles)
      const { from, to, empty } = view.state.selection.main
      const path = toResourcePath(text)
      const words = empty && path !== undefined ? path : view.state.sliceDoc(from, to)
      if ((empty && path === undefined) || !URL_PATTERN.test(text) || words.includes('\n')) return false
      if (!empty && URL_PATTERN.test(words.trim())) return false
      const target = path ?? text
      const link = `[${words}](${/[()]/.test(target) ? `<${target}>` : target})`
      view.dispatch({ changes: { from, to, insert: link }, selection: { anchor: from + link.length }, userEvent: 'input.paste' })
      return true
    },
    drop: ({ dataTransfer, clientX, clientY }, view) => {
      const at = view.posAtCoords({ x: clientX, y: clientY })
      if (at !== null && dataTransfer?.files.length) view.dispatch({ selection: { anchor: at } })
      return takeFiles(view, dataTransfer, onFiles)
    },
  })
/** The address of a resource of this server without the host, so that it stays valid if the host changes. */
const toResourcePath = (text: string): string | undefined => {
  const url = URL.parse(text, location.origin)
  if (url?.origin !== location.origin || !RESOURCE_PATH.test(url.pathname) || /\s/.test(text)) return undefined
  return `${url.pathname}${url.search}${url.hash}`
}
const RESOURCE_PATH = /^\/r\/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const URL_PATTERN = /^(?:https?:\/\/|\/r\/)[^\s<>]+$/
const takeFiles = (view: EditorView, of: DataTransfer | null, onFiles: FileHandler): boolean => {
  const files = [...(of?.files ?? [])]
  if (files.length > 0) onFiles(view, files)
  return files.length > 0
}

interface MarkdownEditorOptions {
  readonly text: string
  readonly label: string
  /** Whether `@` suggests people. */
  readonly seesPeople: boolean
  /** Called on every key; the text may be megabytes, so it is read only when needed. */
  readonly onChange: (read: () => string) => void
  /** Called with pasted and dropped files. */
  readonly onFiles: FileHandler
}

export const openMarkdown = (parent: HTMLElement, { text, label, seesPeople, onChange, onFiles }: MarkdownEditorOptions): EditorView =>
  new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorState.lineSeparator.of(detectLineSeparator(text)),
        history(),
        EditorView.lineWrapping,
        markdown,
        syntaxHighlighting(highlightStyle),
        theme,
        phrases,
        placeholder(t('Markdown. Type @ to mention a person or link to a resource.')),
        pasteHandler(onFiles),
        autocompletion({ override: [(context) => completeMentions(context, seesPeople)], icons: false }),
        EditorView.contentAttributes.of({ 'aria-label': label, dir: 'auto', spellcheck: 'true' }),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        // With the original line endings, so that untouched lines stay the same byte for byte.
        EditorView.updateListener.of(({ docChanged, view }) => docChanged && onChange(() => view.state.sliceDoc())),
      ],
    }),
  })

export const replaceText = (view: EditorView, text: string): void =>
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: view.state.toText(text) } })

/** Wraps the selection in Markdown markers. */
export const wrapSelection = (view: EditorView, before: string, after = before): void => {
  const { from, to } = view.state.selection.main
  const selected = view.state.sliceDoc(from, to)
  view.dispatch({
    changes: { from, to, insert: view.state.toText(`${before}${selected}${after}`) },
    selection: { anchor: from + before.length, head: from + before.length + selected.length },
  })
  view.focus()
}

export const prefixLines = (view: EditorView, sign: string): void => {
  const { from, to } = view.state.selection.main
  const [first, last] = [view.state.doc.lineAt(from).number, view.state.doc.lineAt(to).number]
  const changes = Array.from({ length: last - first + 1 }, (_, i) => ({ from: view.state.doc.line(first + i).from, insert: sign }))
  view.dispatch({ changes })
  view.focus()
}
