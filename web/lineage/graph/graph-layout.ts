import { gapsIn } from './gaps.ts'
import { layout, type PositionedBoxes } from './layout.ts'
import type { Link, Scene } from './scene.ts'
import { type Curve, computeCurve, HEADER_HEIGHT, ROW_HEIGHT } from './shape.ts'

type LinkEnds = Pick<Link, 'from' | 'to' | 'from_row' | 'to_row'>

/** A scene with its layout. */
export interface GraphLayout {
  readonly scene: Scene
  readonly placed: PositionedBoxes
  /** By index of the link in the scene. */
  readonly curves: readonly Curve[]
  /** The curve of a link: between columns where they are shown, else between box headers. */
  readonly curve: (ends: LinkEnds) => Curve
}

/** Recorded for the performance tests: `performance.getEntriesByName('lineage.layout')`. */
export const measureScene = <T>(name: string, work: () => T): T => {
  const start = performance.now()
  const done = work()
  performance.measure(`lineage.${name}`, { start, end: performance.now() })
  return done
}

export const layOutScene = (scene: Scene): GraphLayout => {
  const placed = layout(scene.boxes, scene.links)
  const gaps = gapsIn(scene.boxes, placed)
  const rows = new Map(scene.boxes.flatMap((box) => box.rows.map((row, i) => [row.id, i])))
  const end = (box: string, row: string | undefined) => {
    const i = scene.indexById.get(box)!
    // A column that is not shown attaches below the last row.
    const { rows: shown, more_rows } = scene.boxes[i]!
    const at = row === undefined ? undefined : (rows.get(row) ?? (more_rows > 0 && row !== box ? shown.length : undefined))
    return { x: placed.x[i]!, y: placed.y[i]! + (at === undefined ? HEADER_HEIGHT / 2 : HEADER_HEIGHT + at * ROW_HEIGHT + ROW_HEIGHT / 2) }
  }
  const curve = ({ from, to, from_row, to_row }: LinkEnds): Curve => {
    const [a, b] = [end(from, from_row), end(to, to_row)]
    return computeCurve(a, b, gaps(a, b))
  }
  return { scene, placed, curves: scene.links.map(curve), curve }
}
