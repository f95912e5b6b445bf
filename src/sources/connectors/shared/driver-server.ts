import type { Cell } from './connector.ts'
import type { DriverColumns, DriverPage, DriverRequest, DriverResponse } from './driver-protocol.ts'

/** A driver that runs in its own process, one statement at a time. */
export interface Driver<Opening, Along = undefined> {
  open(opening: Opening): Promise<void>
  begin(sql: string, timeout_ms: number, along?: Along): Promise<StartedStatement>
  /** Cancels the running statement. */
  interrupt(): void
  /** Closes the connection to the source, if there is time for it. */
  close?(): Promise<void>
}

export interface StartedStatement {
  readonly columns: DriverColumns
  /** Stopping the iteration early cancels the statement. */
  readonly rows: AsyncIterable<readonly (readonly Cell[])[]>
}

const PAGE_CHARACTERS = 4 * 1024 * 1024

/** The rows of a statement in pages of the requested size. */
class RowPages {
  readonly #rows: AsyncIterator<readonly (readonly Cell[])[]>
  #batch: readonly (readonly Cell[])[] = []
  #at = 0

  constructor({ rows }: StartedStatement) {
    this.#rows = rows[Symbol.asyncIterator]()
  }

  async more(maxRows: number): Promise<DriverPage> {
    const rows: (readonly Cell[])[] = []
    for (let size = 0; rows.length < maxRows && size < PAGE_CHARACTERS; ) {
      if (this.#at < this.#batch.length) {
        const row = this.#batch[this.#at++]!
        for (const cell of row) size += typeof cell === 'string' ? cell.length : 8
        rows.push(row)
        continue
      }
      const next = await this.#rows.next()
      if (next.done) return { rows, last: true }
      this.#batch = next.value
      this.#at = 0
    }
    return { rows, last: false }
  }

  async leave(): Promise<void> {
    await this.#rows.return?.()
  }
}

/** Serves the requests of the parent process until it disconnects. */
export const serveDriver = <Opening, Along>(driver: Driver<Opening, Along>): void => {
  let pages: RowPages | undefined
  let timer: NodeJS.Timeout | undefined
  let late = false

  const end = async (): Promise<null> => {
    clearTimeout(timer)
    const left = pages
    pages = undefined
    await left?.leave()
    return null
  }
  const begin = async (sql: string, timeout_ms: number, along?: Along): Promise<DriverColumns> => {
    await end()
    late = false
    timer = setTimeout(() => {
      late = true
      driver.interrupt()
    }, timeout_ms)
    const result = await driver.begin(sql, timeout_ms, along)
    pages = new RowPages(result)
    return result.columns
  }
  const more = async (maxRows: number): Promise<DriverPage> => {
    const page = (await pages?.more(maxRows)) ?? { rows: [], last: true }
    if (page.last) await end()
    return page
  }
  const answer = (request: DriverRequest): Promise<unknown> => {
    if ('open' in request) return driver.open(request.open as Opening)
    if ('begin' in request) return begin(request.begin, request.timeout_ms, request.along as Along)
    if ('more' in request) return more(request.more)
    return 'end' in request ? end() : end().then(() => driver.close?.())
  }
  let lastRequestId = 0
  const reply = (answer: DriverResponse): void => void process.send?.(answer)

  // A running statement may keep the process from exiting by itself.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // An error a driver throws outside any request is reported too; after it the driver may be in any state.
  process.on('uncaughtException', (error) => {
    process.send?.({ id: lastRequestId, error: error.message, last: true } satisfies DriverResponse, () =>
      process.kill(process.pid, 'SIGKILL'),
    )
  })
  process.on('message', async (message: DriverRequest | { readonly interrupt: true }) => {
    if ('interrupt' in message) return driver.interrupt()
    const { id } = message
    lastRequestId = id
    try {
      reply({ id, value: (await answer(message)) ?? null })
    } catch (error) {
      const why = late ? 'The operation timed out.' : (error as Error).message || String(error)
      await end().catch(() => {})
      reply({ id, error: why })
    }
  })
}
