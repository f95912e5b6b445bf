type Ranges = readonly (readonly number[])[]

/** What of Markdown is for the renderer and not for the reader. */
const SIGNS = [
  /^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/gm, // headings, quotes, lists, tasks
  /^[ \t]*(?:`{3,}|~{3,})[^\n]*$/gm, // fences
  /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/gm, // the line below the head of a table
  /!?\[(?=[^\]\n]*\]\()/g, // what opens a link
  /\]\([^)\n]*(?:\)|$)/g, // and its address
  /\*\*|__|~~|`/g,
  /(?<=^|[\s(])[*_](?=\S)|(?<=\S)[*_](?=$|[\s).,;:!?])/gm,
  /\|/g,
  /<\/?[a-z][^>\n]*>/gi,
]

/** Markdown as a line of plain text, with the marked ranges where they are then. */
export const plainExcerpt = (text: string, ranges: Ranges = []): { readonly text: string; readonly ranges: Ranges } => {
  const dropped = new Uint8Array(text.length)
  for (const sign of SIGNS) for (const { index, 0: found } of text.matchAll(sign)) dropped.fill(1, index, index + found.length)
  let plain = ''
  const place = new Uint32Array(text.length + 1)
  for (let i = 0; i < text.length; i++) {
    place[i] = plain.length
    if (dropped[i]) continue
    const sign = /\s/.test(text[i]!) ? ' ' : text[i]!
    if (sign !== ' ' || (plain !== '' && !plain.endsWith(' '))) plain += sign
  }
  place[text.length] = plain.length
  return {
    text: plain.trimEnd(),
    ranges: ranges.map(([from = 0, to = 0]) => [place[from]!, place[to]!]).filter(([from = 0, to = 0]) => to > from),
  }
}
