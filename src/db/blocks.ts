import { Transform } from 'node:stream'
import { passed } from './young.ts'

const BLOCK_BYTES = 64 * 1024

/**
 * Rows of a COPY, which come one by one, put together to blocks. Postgres ends each row with LF, wherever else there is one in its text, so
 * this is the place to end it otherwise.
 */
export const inBlocks = (lineEnd: string): Transform => {
  const end = Buffer.from(lineEnd)
  let block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
  let filled = 0
  return new Transform({
    transform(row: Buffer, _, done) {
      const text = row.length - 1
      const length = text + end.length
      if (filled > 0 && filled + length > BLOCK_BYTES) {
        this.push(block.subarray(0, filled))
        passed(filled)
        block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
        filled = 0
      }
      if (length > BLOCK_BYTES) {
        this.push(row.subarray(0, text))
        this.push(end)
        passed(length)
      } else {
        filled += row.copy(block, filled, 0, text)
        filled += end.copy(block, filled)
      }
      done()
    },
    flush(done) {
      done(null, block.subarray(0, filled))
    },
  })
}
