import type { Point } from './canvas.ts'
import { ACCENTS, BELOW, GLYPHS } from './glyphs.ts'

const GAP = 2.2
const UNITS = 10 // height of a capital

/** The strokes of a line of text. `size` is the height of a capital, `x` the left end, `y` the baseline. Thick strokes need some `spacing`. */
export const textStrokes = (text: string, x: number, y: number, size: number, spacing = 0): Point[][] => {
  const scale = size / UNITS
  const lines: Point[][] = []
  let at = x
  let before = { x, width: 0, isLow: false }
  const draw = (strokes: string, left: number, rise: number) => {
    for (const line of parseStrokes(strokes))
      lines.push(line.map((point) => ({ x: left + point.x * scale, y: y + (point.y - rise - UNITS) * scale })))
  }
  for (const letter of splitLetters(text)) {
    const accent = ACCENTS[letter]
    if (accent !== undefined) {
      draw(accent, before.x + (before.width * scale) / 2, before.isLow || BELOW.has(letter) ? 0 : CAPITAL_RISE)
      continue
    }
    const [width, strokes] = GLYPHS[letter] ?? GLYPHS[' ']!
    draw(strokes, at, 0)
    before = { x: at, width, isLow: /[acegijmnopqrsuvwxyzı]/.test(letter) }
    at += (width + GAP + spacing) * scale
  }
  return lines
}

/** Separates letters and accents. An `i` with an accent loses its dot. */
const splitLetters = (text: string): string[] => [...text.normalize('NFD').replace(/i(?=[\u0300-\u030c])/g, 'ı')]

const CAPITAL_RISE = 4 // accents of capitals and of letters with ascenders

export const measureText = (text: string, size: number, spacing = 0): number =>
  (splitLetters(text).reduce((sum, letter) => sum + (letter in ACCENTS ? 0 : getWidth(letter) + GAP + spacing), -GAP - spacing) * size) /
  UNITS

const getWidth = (letter: string): number => (GLYPHS[letter] ?? GLYPHS[' ']!)[0]

/** Whether every letter of the text can be drawn. */
export const isDrawable = (text: string): boolean => splitLetters(text).every((letter) => letter in GLYPHS || letter in ACCENTS)

const CURVE_SEGMENTS = 8 // line segments per curve

const parseStrokes = (strokes: string): Point[][] => {
  const lines: Point[][] = []
  for (const [, sign, numbers = ''] of strokes.matchAll(/([MLQO])([^MLQO]*)/g)) {
    const [a = 0, b = 0, c = 0, d = 0] = numbers.trim().split(' ').map(Number)
    const line = lines.at(-1)
    if (sign === 'M') lines.push([{ x: a, y: b }])
    else if (sign === 'L') line!.push({ x: a, y: b })
    else if (sign === 'O') lines.push(ellipsePoints(a, b, c, d))
    else line!.push(...curvePoints(line!.at(-1)!, { x: a, y: b }, { x: c, y: d }))
  }
  return lines
}

const ellipsePoints = (x: number, y: number, rx: number, ry: number): Point[] =>
  Array.from({ length: 4 * CURVE_SEGMENTS + 1 }, (_, i) => {
    const angle = (i * Math.PI) / (2 * CURVE_SEGMENTS)
    return { x: x + rx * Math.cos(angle), y: y + ry * Math.sin(angle) }
  })

const curvePoints = (from: Point, over: Point, to: Point): Point[] =>
  Array.from({ length: CURVE_SEGMENTS }, (_, i) => {
    const t = (i + 1) / CURVE_SEGMENTS
    const [p, q, r] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2]
    return { x: p * from.x + q * over.x + r * to.x, y: p * from.y + q * over.y + r * to.y }
  })
