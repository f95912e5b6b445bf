/**
 * Replaces links in a Markdown text that lead to other pages of the catalog, with their labels: the label of a link to a table is its name, and
 * the reader of a public page may not know it. Images and files are attachments, which need an account. Pure.
 */
const NOT_SHARED = '[…]'

/** What stands for a page or file of this catalog: every path, every ID, and its own address. */
const UUID = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/i

/** Of limited length, so that a long text without blanks is not searched again and again. */
const ADDRESS_WITH_ID =
  /[^\s()<>"'\]]{0,300}[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}[^\s()<>"'\]]{0,300}/gi

const isInternal = (target: string, origin: string): boolean => {
  const address = target.trim().replace(/^</, '')
  if (address.startsWith('#')) return false
  return !/^(?:https?|mailto):/i.test(address) || address.toLowerCase().startsWith(origin.toLowerCase()) || UUID.test(address)
}

export const withoutInternalLinks = (text: string, publicUrl: string): string => {
  const origin = URL.canParse(publicUrl) ? new URL(publicUrl).origin : publicUrl
  const internalReferences = new Set<string>()
  let result = text.replace(/^ {0,3}\[([^\]\n]+)\]:[ \t]*(\S+).*$/gm, (line, name: string, target: string) => {
    if (!isInternal(target, origin)) return line
    internalReferences.add(normalizeLabel(name))
    return ''
  })
  result = replaceLinks(result, (target) => isInternal(target, origin), internalReferences)
  result = result.replace(/<a\b[^>]{0,2000}>[\s\S]{0,2000}?<\/a\s*>/gi, (link) => {
    const target = /\bhref\s*=\s*["']?([^"'\s>]*)/i.exec(link)?.[1] ?? ''
    return isInternal(target, origin) ? NOT_SHARED : link
  })
  result = result.replace(/<(?:img|source|video|audio|picture|a)\b[^>]{0,2000}>/gi, (tag) =>
    /\b(?:src|srcset|href)\s*=/i.test(tag) && UUID.test(tag) ? NOT_SHARED : tag,
  )
  // What is left: bare addresses and IDs.
  return result.replace(ADDRESS_WITH_ID, NOT_SHARED)
}

const normalizeLabel = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()

/** Inline links and images `[label](target)`, and references `[label][name]`, `[name][]`, `[name]`. Labels may contain brackets. */
const replaceLinks = (text: string, internal: (target: string) => boolean, references: ReadonlySet<string>): string => {
  let result = ''
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('[', at)
    if (open < 0) break
    const close = findClosing(text, open, '[', ']')
    if (close < 0) {
      result += text.slice(at, open + 1)
      at = open + 1
      continue
    }
    const begin = text[open - 1] === '!' && open > at ? open - 1 : open
    const label = text.slice(open + 1, close)
    const end = findLinkEnd(text, close, label, internal, references)
    if (end === undefined) {
      // Not a link to hide: what is inside its label may be one.
      result += text.slice(at, open + 1)
      at = open + 1
      continue
    }
    result += text.slice(at, begin) + NOT_SHARED
    at = end
  }
  return result + text.slice(at)
}

/** Where the link ends whose label ends at `close`, if it must be hidden. */
const findLinkEnd = (
  text: string,
  close: number,
  label: string,
  internal: (target: string) => boolean,
  references: ReadonlySet<string>,
): number | undefined => {
  const next = text[close + 1]
  if (next === '(') {
    const end = findClosing(text, close + 1, '(', ')')
    return end > 0 && internal(text.slice(close + 2, end)) ? end + 1 : undefined
  }
  if (next === '[') {
    const end = text.indexOf(']', close + 2)
    const name = end < 0 ? '' : text.slice(close + 2, end)
    return end > 0 && references.has(normalizeLabel(name === '' ? label : name)) ? end + 1 : undefined
  }
  return references.has(normalizeLabel(label)) ? close + 1 : undefined
}

const MAX_LINK_LENGTH = 5_000

const findClosing = (text: string, open: number, opening: string, closing: string): number => {
  let depth = 0
  const end = Math.min(text.length, open + MAX_LINK_LENGTH)
  for (let i = open; i < end; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === opening) depth++
    else if (text[i] === closing && --depth === 0) return i
  }
  return -1
}
