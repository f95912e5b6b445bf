import { Transform } from 'node:stream'

const QUOTE = 0x22
const LF = 0x0a
const CRLF = Buffer.from('\r\n')

/** Postgres ends the lines of a CSV with LF, RFC 4180 with CR LF. Line feeds inside of quotes belong to the text and stay. */
export const crlf = (): Transform => {
  let quoted = false
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const parts: Buffer[] = []
      let from = 0
      let at = 0
      let nextQuote = chunk.indexOf(QUOTE)
      for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, at)) {
        while (nextQuote >= 0 && nextQuote < end) {
          quoted = !quoted
          nextQuote = chunk.indexOf(QUOTE, nextQuote + 1)
        }
        at = end + 1
        if (quoted) continue
        parts.push(chunk.subarray(from, end), CRLF)
        from = at
      }
      for (; nextQuote >= 0; nextQuote = chunk.indexOf(QUOTE, nextQuote + 1)) quoted = !quoted
      parts.push(chunk.subarray(from))
      done(null, Buffer.concat(parts))
    },
  })
}
