/** One page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[]
  /** How many there are on all pages. */
  readonly total: number
}

const MAX_PAGES = 100_000

/**
 * All items of a list that is read by offset. A page that is empty although more were announced is an error, not the end: otherwise everything
 * behind it would be treated as deleted.
 */
export async function* readPages<T>(what: string, read: (offset: number, page: number) => Promise<ListPage<T>>): AsyncGenerator<T, void> {
  let offset = 0
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, total } = await read(offset, page)
    yield* items
    offset += items.length
    if (offset >= total) return
    if (items.length === 0) throw new Error(`${what}: page ${page + 1} is empty, but only ${offset} of ${total} were listed.`)
  }
  throw new Error(`${what} has more than ${MAX_PAGES} pages.`)
}

/** One page of a list that is continued with a token. */
export interface TokenPage<T> {
  readonly items: readonly T[]
  /** Of the next page; empty or absent at the end. */
  readonly next: string | undefined
}

/** All items of a list that is read by token. A page may be empty although others follow; a token that repeats is an error, as the list would never end. */
export async function* readPagesByToken<T>(
  what: string,
  read: (token: string | undefined) => Promise<TokenPage<T>>,
): AsyncGenerator<T, void> {
  const seen = new Set<string>()
  for (let token: string | undefined; seen.size < MAX_PAGES; ) {
    const { items, next }: TokenPage<T> = await read(token)
    yield* items
    if (!next) return
    if (seen.has(next)) throw new Error(`${what} repeats the same page.`)
    seen.add(next)
    token = next
  }
  throw new Error(`${what} has more than ${MAX_PAGES} pages.`)
}

/** Calls `work` for up to `limit` items at once and yields the results in the order of the items. */
export async function* mapConcurrently<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const running: Promise<R>[] = []
  for await (const item of items) {
    const result = work(item)
    result.catch(() => {}) // the error is thrown where the result is awaited
    running.push(result)
    if (running.length >= limit) yield await running.shift()!
  }
  while (running.length > 0) yield await running.shift()!
}
