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

const MAX_PAGES = 100_000

/** All items of a list whose length is not announced, by pages counted from one. Its last page is empty. */
export async function* readUntilEmpty<T>(what: string, read: (page: number) => Promise<readonly T[]>): AsyncGenerator<T, void> {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const items = await read(page)
    if (items.length === 0) return
    yield* items
  }
  throw new Error(`${what} has more than ${MAX_PAGES} pages.`)
}
