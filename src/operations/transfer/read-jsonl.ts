import type { FieldErrors } from '../../platform/core/errors.ts'
import { isObject } from '../../platform/core/json-value.ts'
import { MAX_IMPORT_LINE_BYTES } from './uploaded-file.ts'

/** A parsed line: its fields or its errors. */
export interface ReadLine {
  readonly line: number
  readonly fields?: Readonly<Record<string, unknown>>
  readonly errors?: FieldErrors
}

export async function* readJsonl(text: AsyncIterable<string>): AsyncGenerator<ReadLine> {
  let line = 0
  for await (const each of splitLines(text)) {
    line += 1
    if (each.length > MAX_IMPORT_LINE_BYTES) yield { line, errors: { line: ['is too long.'] } }
    else if (each.trim() !== '') yield { line, ...parseLine(each) }
  }
}

const parseLine = (text: string): Omit<ReadLine, 'line'> => {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return { fields: value }
    return { errors: { line: ['must be a JSON object.'] } }
  } catch (error) {
    return { errors: { line: [`is not valid JSON: ${(error as Error).message}`] } }
  }
}

/** Buffers at most one chunk more than the maximum line length, so that an endless line does not fill the memory. */
async function* splitLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of text) {
    const lines = chunk.split('\n')
    if (rest.length <= MAX_IMPORT_LINE_BYTES) lines[0] = rest + lines[0]
    else lines[0] = rest
    rest = lines.pop()!
    yield* lines
  }
  if (rest !== '') yield rest
}
