/** How many objects of a BI tool are read at once. */
export const CONCURRENT_REQUESTS = 8

/** A list that changes while its pages are read may repeat an object. */
export async function* listOnce<T, K>(listed: AsyncIterable<T>, getKey: (each: T) => K, seen = new Set<K>()): AsyncGenerator<T, void> {
  for await (const each of listed) {
    const key = getKey(each)
    if (!seen.has(key)) yield each
    seen.add(key)
  }
}

/** Loads what is the same for many objects once. */
export const loadOnce = <K, T>(cache: Map<K, Promise<T>>, key: K, load: () => Promise<T>): Promise<T> => {
  const found = cache.get(key) ?? load()
  cache.set(key, found)
  return found
}

export const splitIntoBatches = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))

export interface TreeNode<T> {
  readonly id: string
  readonly object: T
  /** Undefined if it is not among the listed ones. */
  readonly parent: string | undefined
}

/** Folders by ID, each after its parent. */
export const listParentsFirst = <T>(all: ReadonlyMap<string, T>, getParent: (object: T) => string | undefined): TreeNode<T>[] => {
  const sorted = new Map<string, TreeNode<T>>()
  const visiting = new Set<string>() // ends a cycle
  const visit = (id: string, object: T): void => {
    if (sorted.has(id) || visiting.has(id)) return
    visiting.add(id)
    const parent = getParent(object)
    const found = parent === undefined ? undefined : all.get(parent)
    if (parent !== undefined && found !== undefined) visit(parent, found)
    sorted.set(id, { id, object, parent: parent !== undefined && sorted.has(parent) ? parent : undefined })
  }
  for (const [id, object] of all) visit(id, object)
  return [...sorted.values()]
}

const MAX_PAGES = 100_000

/** All items of a list whose length is not announced, each once, by pages counted from one: the end is a page without anything new. */
export async function* readUntilEmpty<T, K>(
  what: string,
  getKey: (each: T) => K,
  read: (page: number) => Promise<readonly T[]>,
): AsyncGenerator<T, void> {
  const seen = new Set<K>()
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const fresh = (await read(page)).filter((each) => !seen.has(getKey(each)))
    if (fresh.length === 0) return
    for (const each of fresh) seen.add(getKey(each))
    yield* fresh
  }
  throw new Error(`${what} has more than ${MAX_PAGES} pages.`)
}
