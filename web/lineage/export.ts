import { several } from '../words/words.ts'
import type { Drawing } from './drawing.ts'
import type { Inks } from './paint.ts'
import { BOX_WIDTH, HEAD, partsOf, ROW } from './shape.ts'
import type { Lit } from './trace.ts'

/** Export of the graph. The PNG is the SVG rendered by the browser. */
const EDGE = 40
const MOST_PIXELS = 12_000 // maximum canvas side that all browsers support

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const LETTERS = 26 // approximate characters per title, since SVG cannot truncate text
const cut = (text: string, most = LETTERS): string => {
  const letters = [...text]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text
}

export const toSvg = ({ scene, placed, curves }: Drawing, inks: Inks, lit?: Lit): string => {
  const links = curves.map((curve, i) => {
    const { id, only_manual, indirect } = scene.links[i]!
    const bright = lit?.links.has(id)
    const dash = only_manual ? ' stroke-dasharray="6 4"' : indirect ? ' stroke-dasharray="1.5 4"' : ''
    const way = partsOf(curve).map(({ x1, y1, reach, x2, y2 }) => `L${x1} ${y1}C${x1 + reach} ${y1} ${x2 - reach} ${y2} ${x2} ${y2}`)
    return `<path d="M${curve.x1} ${curve.y1}${way.join('')}" stroke="${bright ? inks.accent : inks.strong}" stroke-width="${bright ? 2 : 1.4}"${dash}${lit && !bright ? ' opacity="0.3"' : ''}/>`
  })
  const boxes = scene.boxes.map((box, i) => {
    const [x, y] = [placed.x[i]!, placed.y[i]!]
    const strong = box.start || lit?.boxes.has(box.id)
    const about = box.members > 0 ? several(box.members, 'resource') : box.path
    const rows = box.rows.map(
      ({ title }, at) =>
        `<text x="${x + 12}" y="${y + HEAD + at * ROW + 16}" font-family="monospace" font-size="12" fill="${inks.soft}">${escaped(cut(title))}</text>`,
    )
    return `<rect x="${x}" y="${y}" width="${BOX_WIDTH}" height="${box.height}" rx="8" fill="${inks.raised}" stroke="${strong ? inks.accent : inks.strong}"/><text x="${x + 12}" y="${y + 20}" font-size="13" font-weight="500" fill="${inks.ink}">${escaped(cut(box.title))}</text><text x="${x + 12}" y="${y + 36}" font-size="11" fill="${inks.faint}">${escaped(cut(about, 34))}</text>${rows.join('')}`
  })
  const [width, height] = [placed.width + 2 * EDGE, placed.height + 2 * EDGE]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-EDGE} ${-EDGE} ${width} ${height}" font-family="system-ui, sans-serif"><rect x="${-EDGE}" y="${-EDGE}" width="${width}" height="${height}" fill="${inks.bg}"/><g fill="none">${links.join('')}</g>${boxes.join('')}</svg>`
}

export const toPng = async (drawing: Drawing, inks: Inks, lit?: Lit): Promise<Blob> => {
  const image = new Image()
  const source = URL.createObjectURL(new Blob([toSvg(drawing, inks, lit)], { type: 'image/svg+xml' }))
  try {
    image.src = source
    await image.decode()
    const [width, height] = [drawing.placed.width + 2 * EDGE, drawing.placed.height + 2 * EDGE]
    const scale = Math.min(2, MOST_PIXELS / width, MOST_PIXELS / height)
    const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale))
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await canvas.convertToBlob({ type: 'image/png' })
  } finally {
    URL.revokeObjectURL(source)
  }
}

// Spreadsheets interpret text with these prefixes as a formula.
const cell = (value: string | number | boolean): string => {
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
export const toCsv = (rows: readonly (readonly (string | number | boolean)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** All shown links with the names of their ends. */
export const linksCsv = ({ scene }: Drawing): string => {
  const box = (id: string) => scene.boxes[scene.place.get(id)!]!
  const named = (id: string, row: string | undefined) => {
    const { path, title, rows } = box(id)
    return [path, title, rows.find((each) => each.id === row)?.title].filter(Boolean).join('.')
  }
  return toCsv([
    ['from', 'to', 'from_id', 'to_id', 'stated_by_people', 'queries', 'kinds'],
    ...scene.links.map(({ from, to, from_row, to_row, manual, queries, kinds }) => [
      named(from, from_row),
      named(to, to_row),
      from_row ?? from,
      to_row ?? to,
      manual,
      queries,
      kinds.join(' '),
    ]),
  ])
}

export const save = (content: Blob, name: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000) // the download has started by then
}
