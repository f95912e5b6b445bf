/**
 * Splits a long Markdown text where a block certainly ends, so that each section can be rendered on its own: rendering 2 MB at once takes
 * seconds. Pure; the sections joined are the text.
 */
const MIN_SPLIT_LENGTH = 24_000 // shorter texts render without a noticeable delay
const SECTION_LENGTH = 4_000
const LONG_SECTION_LENGTH = 8 * SECTION_LENGTH // a list is split only if no other block ends before
const MAX_HTML_LENGTH = 32 * SECTION_LENGTH // an unclosed tag must not prevent splitting the rest

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^#{1,6}\s/
const PARAGRAPH = /^[^\s\-*+>|<[:#`~\d=_]/
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])\s/
const OPENS = /<(?:details|div|table|ul|ol|dl|blockquote|pre)\b/gi
const CLOSES = /<\/(?:details|div|table|ul|ol|dl|blockquote|pre)>/gi
const DEFINITION = /^ {0,3}\[([^\]\n]+)\]:[ \t]*\S/

const countMatches = (pattern: RegExp, line: string): number => line.match(pattern)?.length ?? 0

export const parseSections = (text: string): readonly string[] => {
  if (text.length < MIN_SPLIT_LENGTH) return [text]
  const sections: string[] = []
  let start = 0
  let fence: string | undefined
  let html = 0
  let blank = false
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at) + 1 || text.length
    const line = text.slice(at, end)
    const size = at - start
    if (blank && !fence && size >= SECTION_LENGTH && (html <= 0 || size >= MAX_HTML_LENGTH) && startsBlock(line, size)) {
      sections.push(text.slice(start, at))
      start = at
      html = 0
    }
    const marks = FENCE.exec(line)?.[1]
    if (fence) {
      if (marks?.startsWith(fence) && line.trim() === marks) fence = undefined
    } else if (marks) fence = marks
    else if (line.includes('<')) html += countMatches(OPENS, line) - countMatches(CLOSES, line)
    blank = line.trim() === ''
    at = end
  }
  return [...sections, text.slice(start)]
}

const startsBlock = (line: string, size: number): boolean =>
  HEADING.test(line) || PARAGRAPH.test(line) || (size >= LONG_SECTION_LENGTH && LIST_ITEM.test(line))

/** Link definitions (`[name]: url`): a section may use those of another one. */
export const parseDefinitions = (text: string): ReadonlyMap<string, string> => {
  const all = new Map<string, string>()
  if (!text.includes(']:')) return all
  for (const line of text.split('\n')) {
    const name = DEFINITION.exec(line)?.[1]?.toLowerCase()
    if (name && !all.has(name)) all.set(name, line)
  }
  return all
}

/** A section with the link definitions it uses. */
export const withDefinitions = (section: string, definitions: ReadonlyMap<string, string>): string => {
  if (definitions.size === 0) return section
  const lower = section.toLowerCase()
  const used = [...definitions].filter(([name]) => lower.includes(`[${name}]`)).map(([, line]) => line)
  return used.length === 0 ? section : `${section}\n\n${used.join('\n')}`
}
