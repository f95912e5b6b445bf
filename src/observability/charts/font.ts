import type { Point } from './canvas.ts'

/**
 * A small stroke font with digits and the letters of dates and units. Coordinates: baseline at 10, capitals start at 0, lower case at 4.
 * `M` moves, `L` draws a line, `Q` a quadratic curve, `O` an ellipse.
 */
const GLYPHS: Record<string, readonly [width: number, strokes: string]> = {
  '0': [6, 'O3 5 3 5'],
  '1': [6, 'M1.2 2 L3.6 0 L3.6 10'],
  '2': [6, 'M0 2.7 Q0 0 3 0 Q6 0 6 2.7 Q6 4.6 4 6.4 L0 10 L6 10'],
  '3': [6, 'M.3 1.7 Q1 0 3 0 Q5.6 0 5.6 2.5 Q5.6 4.8 2.8 4.8 Q6 4.8 6 7.4 Q6 10 3 10 Q.6 10 0 8.2'],
  '4': [6, 'M4.6 10 L4.6 0 L0 6.9 L6 6.9'],
  '5': [6, 'M5.5 0 L1 0 L.5 4.7 Q1.6 3.7 3 3.7 Q6 3.7 6 6.8 Q6 10 3 10 Q.8 10 0 8.4'],
  '6': [6, 'M5.4 1.4 Q4.6 0 3.2 0 Q0 0 0 5.8 Q0 10 3 10 Q6 10 6 7 Q6 4.2 3.1 4.2 Q.8 4.2 .1 6.4'],
  '7': [6, 'M0 0 L6 0 L2.2 10'],
  '8': [6, 'O3 2.4 2.5 2.4 O3 7.4 3 2.6'],
  '9': [6, 'M.6 8.6 Q1.4 10 2.8 10 Q6 10 6 4.2 Q6 0 3 0 Q0 0 0 3 Q0 5.8 2.9 5.8 Q5.2 5.8 5.9 3.6'],
  '.': [0, 'M0 9.8 L0 10'],
  ',': [0.6, 'M.6 9.6 L0 11.6'],
  ':': [0, 'M0 4.6 L0 4.8 M0 9.6 L0 9.8'],
  '-': [4, 'M0 6 L4 6'],
  '+': [5, 'M0 6 L5 6 M2.5 3.5 L2.5 8.5'],
  '%': [8, 'O1.7 2.2 1.7 2.2 O6.3 7.8 1.7 2.2 M6.6 0 L1.4 10'],
  a: [5, 'M.4 5.2 Q1.2 4 2.8 4 Q5 4 5 6 L5 10 M5 6.8 L2.6 6.8 Q0 7 0 8.4 Q0 10 2.2 10 Q4.6 10 5 8'],
  b: [5.2, 'M0 0 L0 10 O2.6 7 2.6 3'],
  c: [5, 'M5 5.2 Q4.2 4 2.8 4 Q0 4 0 7 Q0 10 2.8 10 Q4.2 10 5 8.8'],
  e: [5.2, 'M0 7 L5.2 7 Q5.2 4 2.6 4 Q0 4 0 7 Q0 10 2.8 10 Q4.3 10 5 8.9'],
  g: [5.2, 'O2.6 7 2.6 3 M5.2 4 L5.2 11 Q5.2 13 2.6 13 Q1.2 13 .3 12.2'],
  h: [5, 'M0 0 L0 10 M0 6.6 Q.4 4 2.8 4 Q5 4 5 6.6 L5 10'],
  k: [4.8, 'M0 0 L0 10 M4.5 4 L0 7.6 M1.6 6.4 L4.8 10'],
  l: [0, 'M0 0 L0 10'],
  n: [5, 'M0 4 L0 10 M0 6.6 Q.4 4 2.8 4 Q5 4 5 6.6 L5 10'],
  o: [5.4, 'O2.7 7 2.7 3'],
  p: [5.2, 'M0 4 L0 13 O2.6 7 2.6 3'],
  r: [3, 'M0 4 L0 10 M0 6.8 Q.4 4 3 4'],
  t: [3.4, 'M1.4 1.6 L1.4 8.4 Q1.4 10 3.4 9.9 M0 4 L3.2 4'],
  u: [5, 'M0 4 L0 7.4 Q0 10 2.2 10 Q4.6 10 5 7.4 M5 4 L5 10'],
  v: [5, 'M0 4 L2.5 10 L5 4'],
  y: [5.2, 'M0 4 L2.6 10 M5.2 4 L2.4 11.4 Q1.8 13 .2 12.9'],
  A: [6.6, 'M0 10 L3.3 0 L6.6 10 M1.2 6.6 L5.4 6.6'],
  B: [6, 'M3 4.8 L0 4.8 L0 0 L3 0 Q5.4 0 5.4 2.4 Q5.4 4.8 3 4.8 Q6 4.8 6 7.4 Q6 10 3 10 L0 10 L0 4.8'],
  D: [6.4, 'M0 0 L0 10 L2.6 10 Q6.4 10 6.4 5 Q6.4 0 2.6 0 L0 0'],
  F: [5, 'M0 10 L0 0 L5 0 M0 4.8 L4.4 4.8'],
  J: [4, 'M4 0 L4 7.4 Q4 10 2 10 Q0 10 0 7.8'],
  M: [7, 'M0 10 L0 0 L3.5 7 L7 0 L7 10'],
  N: [6, 'M0 10 L0 0 L6 10 L6 0'],
  O: [7.6, 'O3.8 5 3.8 5'],
  S: [6, 'M5.6 1.8 Q4.8 0 2.9 0 Q.2 0 .2 2.5 Q.2 4.4 3 5 Q6 5.6 6 7.5 Q6 10 3 10 Q.8 10 0 8'],
  T: [6, 'M0 0 L6 0 M3 0 L3 10'],
  ' ': [2, ''],
}
const GAP = 2.2
const UNITS = 10 // height of a capital

/** The strokes of a line of text. `size` is the height of a capital, `x` the left end, `y` the baseline. */
export const textStrokes = (text: string, x: number, y: number, size: number): Point[][] => {
  const scale = size / UNITS
  const lines: Point[][] = []
  let at = x
  for (const letter of text) {
    const [width, strokes] = GLYPHS[letter] ?? GLYPHS[' ']!
    for (const line of parseStrokes(strokes))
      lines.push(line.map((point) => ({ x: at + point.x * scale, y: y + (point.y - UNITS) * scale })))
    at += (width + GAP) * scale
  }
  return lines
}

export const measureText = (text: string, size: number): number =>
  ([...text].reduce((sum, letter) => sum + (GLYPHS[letter] ?? GLYPHS[' ']!)[0] + GAP, -GAP) * size) / UNITS

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
