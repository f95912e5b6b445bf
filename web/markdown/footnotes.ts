import { Marked, type Token, type Tokens } from 'marked'

/** Footnotes as on GitHub: `[^1]` in a text, and `[^1]: what it says` anywhere in it. They are listed at the end, in the order of their references. */
const REFERENCE = /^\[\^([^\]\s]{1,40})\](?!:)/
const DEFINITION = /^\[\^([^\]\s]{1,40})\]:[ \t]*(.+(?:\n(?!\s*\n|\[\^).+)*)(?:\n+|$)/

type Footnote = Tokens.Generic & { readonly label: string; readonly tokens: Token[] }

/** Of the text that is being rendered. */
let defined = new Map<string, Footnote>()
let used: string[] = []

const parser = new Marked({
  gfm: true,
  extensions: [
    {
      name: 'footnote',
      level: 'block',
      start: (text) => {
        const found = text.search(/\n\[\^[^\]\s]{1,40}\]:/)
        return found < 0 ? undefined : found + 1
      },
      tokenizer(text) {
        const [raw, label, note] = DEFINITION.exec(text) ?? []
        if (!raw || !label || !note) return undefined
        const tokens: Token[] = []
        this.lexer.inline(note, tokens)
        return { type: 'footnote', raw, label, tokens }
      },
      renderer: () => '',
    },
    {
      name: 'footnoteReference',
      level: 'inline',
      start: (text) => text.indexOf('[^'),
      tokenizer(text) {
        const [raw, label] = REFERENCE.exec(text) ?? []
        return raw && label ? { type: 'footnoteReference', raw, label } : undefined
      },
      renderer: ({ raw, label }) => (defined.has(label) ? renderReference(label) : escapeText(raw)),
    },
  ],
})

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** `render-markdown.ts` makes the links and their targets after the sanitizer, which keeps no IDs. */
const renderReference = (label: string): string => {
  if (!used.includes(label)) used.push(label)
  return `<sup><a href="#md-note-${encodeURIComponent(label)}">${used.indexOf(label) + 1}</a></sup>`
}

const renderNotes = (): string => {
  if (used.length === 0) return ''
  const items: string[] = []
  // A note may refer to others, which are then listed, too.
  for (let i = 0; i < used.length; i += 1)
    items.push(
      `<li>${parser.Parser.parseInline(defined.get(used[i]!)!.tokens, parser.defaults)} <a href="#md-noted-${encodeURIComponent(used[i]!)}">↩</a></li>`,
    )
  return `<hr><ol>${items.join('')}</ol>`
}

/** Markdown as HTML, which is not safe yet. */
export const toHtml = (text: string): string => {
  const tokens = parser.lexer(text)
  const isNote = (token: Tokens.Generic): token is Footnote => token.type === 'footnote'
  defined = new Map(tokens.filter(isNote).map((note): [string, Footnote] => [note.label, note]))
  used = []
  return parser.parser(tokens) + renderNotes()
}
