import type { GraphLayout } from './graph-layout.ts'

const RANK_PENALTY = 1_000_000 // a different rank outweighs any vertical distance

/** The box an arrow key moves to: left and right along links, up and down within the rank. */
export const nextBox = ({ scene, placed }: GraphLayout, id: string, key: string): string | undefined => {
  const at = scene.indexById.get(id)
  if (at === undefined) return undefined
  const others =
    key === 'ArrowLeft'
      ? scene.links.flatMap(({ from, to }) => (to === id && from !== id ? [scene.indexById.get(from)!] : []))
      : key === 'ArrowRight'
        ? scene.links.flatMap(({ from, to }) => (from === id && to !== id ? [scene.indexById.get(to)!] : []))
        : [...scene.boxes.keys()].filter(
            (i) => placed.rank[i] === placed.rank[at] && (key === 'ArrowUp' ? placed.y[i]! < placed.y[at]! : placed.y[i]! > placed.y[at]!),
          )
  const far = (i: number) => Math.abs(placed.rank[i]! - placed.rank[at]!) * RANK_PENALTY + Math.abs(placed.y[i]! - placed.y[at]!)
  let nearest: number | undefined
  for (const i of others) if (nearest === undefined || far(i) < far(nearest)) nearest = i
  return nearest === undefined ? undefined : scene.boxes[nearest]!.id
}
