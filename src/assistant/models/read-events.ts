import { ModelProtocolError } from './model.ts'

const MAX_EVENT_CHARS = 1_000_000

/** The data of each server-sent event of a response. */
export async function* readEventData(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    if (rest.length > MAX_EVENT_CHARS) throw new ModelProtocolError('an event is too long')
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop()!
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      else if (line === '' && data.length > 0) {
        yield data.join('\n')
        data = []
      }
    }
  }
  if (data.length > 0) yield data.join('\n') // some servers end without an empty line
}
