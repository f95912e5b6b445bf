import type { Readable } from 'node:stream'

const STALLED_MS = 60_000

/** Aborts an export if the client reads nothing for a minute: its snapshot would keep Postgres from vacuuming. */
export const abortWhenStalled = (stream: Readable, afterMs = STALLED_MS): Readable => {
  const timer = setTimeout(() => stream.destroy(new Error('The export was aborted because the client read nothing for a minute.')), afterMs)
  const read = stream._read.bind(stream)
  stream._read = (size) => {
    timer.refresh()
    read(size)
  }
  return stream.once('close', () => clearTimeout(timer))
}
