/**
 * Rewrites HTML to contain only allowed tags and attributes, before the browser parses it: even an inert document reports event handlers as CSP
 * violations. The output is still sanitized by DOMPurify. Pure; reads tags as the HTML standard does.
 */
export interface AllowedMarkup {
  readonly tags: ReadonlySet<string>
  readonly attributes: ReadonlySet<string>
}

/** Removed together with their content. */
const DROPPED_WITH_CONTENT =
  /^(audio|iframe|math|noembed|noframes|noscript|object|plaintext|script|select|style|svg|template|textarea|title|video|xmp)$/

export const stripDisallowedMarkup = (html: string, allowed: AllowedMarkup): string => {
  let out = ''
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) return out + html.slice(at)
    out += html.slice(at, open)
    const next = html[open + 1] ?? ''
    if (/[a-z]/i.test(next)) {
      const tag = parseTag(html, open + 1)
      if (!tag) return out // unterminated: parsers drop it, too
      if (allowed.tags.has(tag.name)) out += `<${tag.name}${formatAttributes(tag, allowed)}>`
      at = DROPPED_WITH_CONTENT.test(tag.name) ? findElementEnd(html, tag.name, tag.end) : tag.end
    } else if (next === '/') {
      const tag = /[a-z]/i.test(html[open + 2] ?? '') ? parseTag(html, open + 2) : undefined
      if (tag && allowed.tags.has(tag.name)) out += `</${tag.name}>`
      at = tag?.end ?? indexAfter(html, '>', open)
    } else if (html.startsWith('<!--', open))
      at = /^<!--(-?>)/.test(html.slice(open, open + 6)) ? indexAfter(html, '>', open) : findCommentEnd(html, open)
    else if (next === '!' || next === '?') at = indexAfter(html, '>', open)
    else {
      out += '&lt;'
      at = open + 1
    }
  }
  return out
}

interface Tag {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly end: number
}

const NAME = /[^\s/>]*/y
const BETWEEN = /[\s/]*/y
const ATTRIBUTE = /(=?[^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)|(?=>)))?/y

const UNCLOSED_QUOTE = /\s*=\s*["']/y // otherwise the quote would become part of the attribute

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Undefined if the tag is not terminated. */
const parseTag = (html: string, from: number): Tag | undefined => {
  const name = matchAt(NAME, html, from)![0]
  const attributes = new Map<string, string>()
  for (let at = from + name.length; ; ) {
    at += matchAt(BETWEEN, html, at)![0].length
    if (at >= html.length) return undefined
    if (html[at] === '>') return { name: name.toLowerCase(), attributes, end: at + 1 }
    const [whole, key = '', ...values] = matchAt(ATTRIBUTE, html, at)!
    if (matchAt(UNCLOSED_QUOTE, html, at + whole.length)) return undefined
    const first = key.toLowerCase()
    if (!attributes.has(first)) attributes.set(first, values.find((value) => value !== undefined) ?? '')
    at += whole.length
  }
}

const formatAttributes = ({ attributes }: Tag, allowed: AllowedMarkup): string =>
  [...attributes]
    .filter(([name]) => allowed.attributes.has(name))
    .map(([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`)
    .join('')

const indexAfter = (html: string, text: string, from: number): number => {
  const found = html.indexOf(text, from)
  return found < 0 ? html.length : found + text.length
}

const findCommentEnd = (html: string, open: number): number => {
  const end = /--!?>/g
  const found = matchAt(end, html, open + 4)
  return found ? found.index + found[0].length : html.length
}

const findElementEnd = (html: string, name: string, from: number): number => {
  const close = matchAt(new RegExp(`</${name}(?=[\\s/>])`, 'gi'), html, from)
  return close ? (parseTag(html, close.index + 2)?.end ?? html.length) : html.length
}
