type Ranges = readonly (readonly number[])[]

/** Markdown syntax to remove. Texts may be SQL as well, so `count(*)` and `a || b` stay. */
const SYNTAX = [
  /^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/gm, // headings, quotes, lists, tasks
  /^[ \t]*(?:`{3,}|~{3,})[^\n]*$/gm, // fences
  /^[ \t]*\|[ \t:|-]*$/gm, // the line below a table header
  /!?\[(?=[^\]\n]*\]\()/g, // start of a link
  /(?<=\[[^\]\n]*)\]\([^)\n]*(?:\)|$)/g, // its URL
  /\*\*|~~|`/g,
  /<\/?[a-z][a-z0-9]*(?:\s+[a-z-]+="[^"\n]*")*\s*\/?>/gi,
]
const EMPHASIS = /(?<![\p{L}\p{N}*_])([*_])(?=[\p{L}\p{N}])[^*\n]*?[\p{L}\p{N}]\1(?![\p{L}\p{N}*_])/gu
const TABLE_ROW = /^[ \t]*\|[^\n]*$/gm

/** Markdown as one line of plain text, with the highlighted ranges moved accordingly. */
export const toPlainExcerpt = (text: string, ranges: Ranges = []): { readonly text: string; readonly ranges: Ranges } => {
  const dropped = new Uint8Array(text.length)
  for (const sign of SYNTAX) for (const { index, 0: found } of text.matchAll(sign)) dropped.fill(1, index, index + found.length)
  for (const { index, 0: found } of text.matchAll(EMPHASIS)) dropped[index] = dropped[index + found.length - 1] = 1
  for (const { index, 0: row } of text.matchAll(TABLE_ROW)) for (const { index: at } of row.matchAll(/\|/g)) dropped[index + at] = 1
  let plain = ''
  const positions = new Uint32Array(text.length + 1)
  for (let i = 0; i < text.length; i++) {
    positions[i] = plain.length
    if (dropped[i]) continue
    const sign = /\s/.test(text[i]!) ? ' ' : text[i]!
    if (sign !== ' ' || (plain !== '' && !plain.endsWith(' '))) plain += sign
  }
  positions[text.length] = plain.length
  return {
    text: plain.trimEnd(),
    ranges: ranges.map(([from = 0, to = 0]) => [positions[from]!, positions[to]!]).filter(([from = 0, to = 0]) => to > from),
  }
}
