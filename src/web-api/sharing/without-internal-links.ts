/**
 * Replaces links in a Markdown text that lead to other pages of the catalog, with their labels: the label of a link to a table is its name, and
 * the reader of a public page may not know it. Images and files are attachments, which need an account. Pure.
 */
const NOT_SHARED = '[…]'

/** What stands for a page or file of this catalog: every path, every ID, and its own address. */
const UUID = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/i

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
  result = replaceAnchors(result, origin)
  result = result.replace(/<(?:img|source|video|audio|picture|a)\b[^<>]{0,1000}>/gi, (tag) =>
    /\b(?:src|srcset|href)\s*=/i.test(tag) && UUID.test(tag) ? NOT_SHARED : tag,
  )
  // What is left: bare addresses and IDs.
  return replaceAddresses(result)
}

/** HTML links with what is inside them. */
const replaceAnchors = (text: string, origin: string): string => {
  const opening = /<a\b([^<>]{0,1000})>/gi
  let result = ''
  let at = 0
  let end = 0
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    if (end < opening.lastIndex) end = findIgnoringCase(text, '</a', opening.lastIndex)
    if (end < 0) break
    const target = /\bhref\s*=\s*["']?([^"'\s>]*)/i.exec(match[1]!)?.[1] ?? ''
    if (!isInternal(target, origin)) continue
    result += text.slice(at, match.index) + NOT_SHARED
    at = text.indexOf('>', end) + 1 || text.length
    opening.lastIndex = at
  }
  return result + text.slice(at)
}

const findIgnoringCase = (text: string, searched: string, from: number): number => {
  const pattern = new RegExp(searched, 'gi')
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

/** Longer labels and targets are none in Markdown. */
const MAX_LABEL_LENGTH = 1_000
const MAX_TARGET_LENGTH = 5_000

const normalizeLabel = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()

/** Inline links and images `[label](target)`, and references `[label][name]`, `[name][]`, `[name]`. Labels may contain brackets. */
const replaceLinks = (text: string, internal: (target: string) => boolean, references: ReadonlySet<string>): string => {
  const closing = matchBrackets(text)
  let result = ''
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('[', at)
    if (open < 0) break
    const close = closing.get(open)
    if (close === undefined) {
      result += text.slice(at, open + 1)
      at = open + 1
      continue
    }
    const begin = text[open - 1] === '!' && open > at ? open - 1 : open
    const label = text.slice(open + 1, Math.min(close, open + MAX_LABEL_LENGTH))
    const end = findLinkEnd(text, closing, close, label, internal, references)
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
  closing: ReadonlyMap<number, number>,
  close: number,
  label: string,
  internal: (target: string) => boolean,
  references: ReadonlySet<string>,
): number | undefined => {
  const next = text[close + 1]
  if (next === '(') {
    const end = closing.get(close + 1)
    return end !== undefined && internal(text.slice(close + 2, Math.min(end, close + MAX_TARGET_LENGTH))) ? end + 1 : undefined
  }
  if (next === '[') {
    const end = closing.get(close + 1)
    const name = end === undefined ? '' : text.slice(close + 2, Math.min(end, close + MAX_LABEL_LENGTH))
    return end !== undefined && references.has(normalizeLabel(name === '' ? label : name)) ? end + 1 : undefined
  }
  return references.size > 0 && references.has(normalizeLabel(label)) ? close + 1 : undefined
}

/** The closing bracket of each opening one, round and square ones apart, in one pass: texts have megabytes. */
const matchBrackets = (text: string): ReadonlyMap<number, number> => {
  const closing = new Map<number, number>()
  const open: Record<string, number[]> = { ']': [], ')': [] }
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (character === '\\') i++
    else if (character === '[') open[']']!.push(i)
    else if (character === '(') open[')']!.push(i)
    else if (character === ']' || character === ')') {
      const at = open[character]!.pop()
      if (at !== undefined) closing.set(at, i)
    }
  }
  return closing
}

const DELIMITER = /[\s()<>"'[\]]/

/** Each address that contains an ID, from one delimiter to the next. */
const replaceAddresses = (text: string): string => {
  const id = new RegExp(UUID, 'gi')
  let result = ''
  let at = 0
  for (let match = id.exec(text); match; match = id.exec(text)) {
    let [from, to] = [match.index, match.index + match[0].length]
    while (from > at && !DELIMITER.test(text[from - 1]!)) from--
    while (to < text.length && !DELIMITER.test(text[to]!)) to++
    result += text.slice(at, from) + NOT_SHARED
    at = to
    id.lastIndex = to
  }
  return result + text.slice(at)
}
