import type { Readable } from 'node:stream'

const STALLED_MS = 60_000

/** A reader who takes nothing for a minute is given up: the snapshot it holds would keep Postgres from cleaning up. */
export const untilStalled = (stream: Readable, afterMs = STALLED_MS): Readable => {
  const timer = setTimeout(() => stream.destroy(new Error('The reader of an export took nothing for a minute.')), afterMs)
  const read = stream._read.bind(stream)
  stream._read = (size) => {
    timer.refresh()
    read(size)
  }
  return stream.once('close', () => clearTimeout(timer))
}
