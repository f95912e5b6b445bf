import { pluralize } from '../../i18n/messages.ts'
import type { GraphLayout } from './graph-layout.ts'
import type { ThemeColors } from './paint.ts'
import { BOX_WIDTH, HEADER_HEIGHT, ROW_HEIGHT, splitCurve } from './shape.ts'
import type { TracedPath } from './trace.ts'

/** Export of the graph. The PNG is the SVG rendered by the browser. */
const PADDING = 40
const MAX_CANVAS_SIDE = 12_000 // maximum canvas side that all browsers support

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const MAX_TITLE_LENGTH = 26 // approximate characters per title, since SVG cannot truncate text
const truncateTitle = (text: string, maxLength = MAX_TITLE_LENGTH): string => {
  const letters = [...text]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : text
}

export const toSvg = ({ scene, placed, curves }: GraphLayout, inks: ThemeColors, tracedPath?: TracedPath): string => {
  const links = curves.map((curve, i) => {
    const { id, only_manual, indirect } = scene.links[i]!
    const bright = tracedPath?.links.has(id)
    const dash = only_manual ? ' stroke-dasharray="6 4"' : indirect ? ' stroke-dasharray="1.5 4"' : ''
    const pathData = splitCurve(curve).map(
      ({ x1, y1, reach, x2, y2 }) => `L${x1} ${y1}C${x1 + reach} ${y1} ${x2 - reach} ${y2} ${x2} ${y2}`,
    )
    return `<path d="M${curve.x1} ${curve.y1}${pathData.join('')}" stroke="${bright ? inks.accent : inks.strong}" stroke-width="${bright ? 2 : 1.4}"${dash}${tracedPath && !bright ? ' opacity="0.3"' : ''}/>`
  })
  const boxes = scene.boxes.map((box, i) => {
    const [x, y] = [placed.x[i]!, placed.y[i]!]
    const strong = box.start || tracedPath?.boxes.has(box.id)
    const about = box.members > 0 ? pluralize(box.members, 'resource') : box.path
    const rows = box.rows.map(
      ({ title }, at) =>
        `<text x="${x + 12}" y="${y + HEADER_HEIGHT + at * ROW_HEIGHT + 16}" font-family="monospace" font-size="12" fill="${inks.soft}">${escapeXml(truncateTitle(title))}</text>`,
    )
    return `<rect x="${x}" y="${y}" width="${BOX_WIDTH}" height="${box.height}" rx="8" fill="${inks.raised}" stroke="${strong ? inks.accent : inks.strong}"/><text x="${x + 12}" y="${y + 20}" font-size="13" font-weight="500" fill="${inks.ink}">${escapeXml(truncateTitle(box.title))}</text><text x="${x + 12}" y="${y + 36}" font-size="11" fill="${inks.faint}">${escapeXml(truncateTitle(about, 34))}</text>${rows.join('')}`
  })
  const [width, height] = [placed.width + 2 * PADDING, placed.height + 2 * PADDING]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-PADDING} ${-PADDING} ${width} ${height}" font-family="system-ui, sans-serif"><rect x="${-PADDING}" y="${-PADDING}" width="${width}" height="${height}" fill="${inks.bg}"/><g fill="none">${links.join('')}</g>${boxes.join('')}</svg>`
}

export const toPng = async (layout: GraphLayout, inks: ThemeColors, tracedPath?: TracedPath): Promise<Blob> => {
  const image = new Image()
  const source = URL.createObjectURL(new Blob([toSvg(layout, inks, tracedPath)], { type: 'image/svg+xml' }))
  try {
    image.src = source
    await image.decode()
    const [width, height] = [layout.placed.width + 2 * PADDING, layout.placed.height + 2 * PADDING]
    const scale = Math.min(2, MAX_CANVAS_SIDE / width, MAX_CANVAS_SIDE / height)
    const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale))
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await canvas.convertToBlob({ type: 'image/png' })
  } finally {
    URL.revokeObjectURL(source)
  }
}

// Spreadsheets interpret text with these prefixes as a formula.
const toCsvCell = (value: string | number | boolean): string => {
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
export const toCsv = (rows: readonly (readonly (string | number | boolean)[])[]): string =>
  rows.map((row) => `${row.map(toCsvCell).join(',')}\r\n`).join('')

/** All shown links with the names of their ends. */
export const linksCsv = ({ scene }: GraphLayout): string => {
  const box = (id: string) => scene.boxes[scene.indexById.get(id)!]!
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

export const downloadBlob = (content: Blob, name: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000) // the download has started by then
}
