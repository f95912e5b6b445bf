/** Patterns for whole schemas: `shop.public.*`. Pure. */

interface ListedName {
  readonly path: readonly string[]
}

/** The containers of what a source has, with how much is in each; `shop.public` is a schema of a database. */
export const listContainers = (names: readonly ListedName[]): { readonly name: string; readonly count: number }[] => {
  const counts = new Map<string, number>()
  for (const { path } of names) {
    const name = path.slice(0, -1).join('.')
    if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => a.name.localeCompare(b.name))
}

const split = (patterns: string): string[] => patterns.split(',').flatMap((each) => each.trim() || [])

/** The containers that are named as a whole in a list of patterns. */
export const findWholeContainers = (patterns: string): string[] =>
  split(patterns).flatMap((each) => (each.endsWith('.*') && !each.slice(0, -2).includes('*') ? [each.slice(0, -2)] : []))

/** Adds a container to a list of patterns, or removes it; the other patterns stay. */
export const toggleContainer = (patterns: string, container: string): string => {
  const all = split(patterns)
  const whole = `${container}.*`
  return (all.includes(whole) ? all.filter((each) => each !== whole) : [...all, whole]).join(', ')
}
