import { Canvas, type Color } from '../../observability/charts/canvas.ts'
import { isDrawable, measureText, textStrokes } from '../../observability/charts/font.ts'
import { encodePng } from '../../observability/charts/png.ts'

/** What the picture of a link preview shows, in words. */
export interface PictureText {
  readonly title: string
  /** E.g. the type, health and number of owners. */
  readonly facts: readonly PictureFact[]
}
export interface PictureFact {
  readonly text: string
  readonly tone?: 'good' | 'warn' | 'bad'
}

export const PICTURE_SIZE = { width: 1200, height: 630 } as const // the format that chats expect; they crop others
const MARGIN = 80
const LINE_WIDTH = PICTURE_SIZE.width - 2 * MARGIN
const WHITE: Color = [255, 255, 255]
const ACCENT: Color = [67, 56, 202]
const INK: Color = [24, 24, 32]
const SOFT: Color = [92, 100, 112]
const LINE: Color = [228, 231, 236]
const TONES: Readonly<Record<NonNullable<PictureFact['tone']>, Color>> = { good: [21, 128, 61], warn: [180, 83, 9], bad: [220, 38, 38] }
const SPACING = 0.6
const TITLE_SIZES = [54, 42, 34]
const MAX_LINES = 3
const FACT_SIZE = 24

/** Emoji are left out; a title in letters that the font does not have cannot be drawn. */
export const toDrawableTitle = (title: string): string | undefined => {
  const text = title
    .normalize('NFC')
    .replace(/\p{Extended_Pictographic}|\p{Cf}|\ufe0f/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return text !== '' && isDrawable(text) ? text : undefined
}

/** The picture of a link preview as PNG. Pure. */
export const drawPicture = ({ title, facts }: PictureText): Buffer => {
  const canvas = new Canvas(PICTURE_SIZE.width, PICTURE_SIZE.height, WHITE)
  drawLogo(canvas)
  const { size, lines } = fitTitle(title)
  const lineHeight = size * 1.75
  const top = 315 - (lineHeight * (lines.length - 1)) / 2 + size / 2
  for (const [i, line] of lines.entries()) drawText(canvas, line, { x: MARGIN, y: top + i * lineHeight, size, color: INK, weight: 0.16 })
  canvas.strokes([straight(MARGIN, 500, PICTURE_SIZE.width - MARGIN, 500)], 2, LINE)
  let x = MARGIN
  for (const { text, tone } of facts) {
    if (tone) {
      canvas.dot({ x: x + 9, y: 550 }, 9, TONES[tone])
      x += 34
    }
    drawText(canvas, text, { x, y: 550 + FACT_SIZE / 2, size: FACT_SIZE, color: tone ? TONES[tone] : SOFT, weight: 0.12 })
    x += measureText(text, FACT_SIZE, SPACING) + 56
  }
  return encodePng(canvas)
}

const straight = (fromX: number, fromY: number, toX: number, toY: number) => [
  { x: fromX, y: fromY },
  { x: toX, y: toY },
]

interface TextLook {
  readonly x: number
  /** The baseline. */
  readonly y: number
  readonly size: number
  readonly color: Color
  /** Thickness of a stroke, in parts of the size. */
  readonly weight: number
}

const drawText = (canvas: Canvas, text: string, { x, y, size, color, weight }: TextLook): void =>
  canvas.strokes(textStrokes(text, x, y, size, SPACING), size * weight, color)

/** A table in a rounded square, as in the web app, and the name. */
const drawLogo = (canvas: Canvas): void => {
  const [left, right, top, bottom] = [MARGIN, MARGIN + 44, 70, 114]
  canvas.strokes([[8, 36].flatMap((y, i) => [8, 36].map((x) => ({ x: left + (i === 0 ? x : 44 - x), y: top + y })))], 16, ACCENT)
  canvas.strokes([straight(left + 8, bottom - 8, left + 8, top + 8)], 16, ACCENT)
  canvas.strokes([straight(left + 13, 92, right - 13, 92)], 26, ACCENT)
  const frame = [...straight(left + 12, 82, right - 12, 82), ...straight(right - 12, 102, left + 12, 102), { x: left + 12, y: 82 }]
  canvas.strokes([frame, straight(left + 12, 91, right - 12, 91), straight(left + 19, 91, left + 19, 102)], 3, WHITE)
  drawText(canvas, 'Tablinum', { x: right + 18, y: 105, size: 26, color: INK, weight: 0.15 })
}

/** The largest size in which the title fits; a longer one is cut. */
const fitTitle = (title: string): { readonly size: number; readonly lines: readonly string[] } => {
  for (const size of TITLE_SIZES) {
    const lines = wrap(title, size)
    if (lines.length <= MAX_LINES) return { size, lines }
  }
  const size = TITLE_SIZES.at(-1)!
  const lines = wrap(title, size).slice(0, MAX_LINES)
  let last = lines.pop()!
  while (measureText(`${last}…`, size, SPACING) > LINE_WIDTH) last = last.slice(0, -1)
  return { size, lines: [...lines, `${last}…`] }
}

/** Breaks lines after spaces and the separators of names, and words longer than a line anywhere. */
const wrap = (text: string, size: number): string[] => {
  const lines = ['']
  for (const part of text.split(/(?<=[\s_./-])/)) {
    if (measureText((lines.at(-1)! + part).trimEnd(), size, SPACING) > LINE_WIDTH && lines.at(-1) !== '') lines.push('')
    for (const letter of part) {
      if (measureText((lines.at(-1)! + letter).trimEnd(), size, SPACING) > LINE_WIDTH) lines.push('')
      lines[lines.length - 1] += letter
    }
  }
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}
