import { basename } from 'node:path'
import type { Json } from './event-writer.ts'

/** The records of an export, by kind. A file is a list, a page of an API (`data` or `results`), or one record per line. Pure. */
export const readRecords = (file: string, text: string): { readonly kind: string; readonly records: Json[] } => ({
  kind: basename(file)
    .replace(/\.(json|jsonl|ndjson)$/i, '')
    .toLowerCase(),
  records: parseRecords(file, text.replace(/^\uFEFF/, '')),
})

const parseRecords = (file: string, text: string): Json[] => {
  try {
    return toList(JSON.parse(text))
  } catch {
    return text.split('\n').flatMap((line, i) => {
      if (line.trim() === '') return []
      try {
        return toList(JSON.parse(line))
      } catch {
        throw new Error(`${file} is neither JSON nor one record per line: line ${(i + 1).toLocaleString('en')} is invalid.`)
      }
    })
  }
}

const toList = (value: unknown): Json[] => {
  if (Array.isArray(value)) return value.flatMap(toList)
  if (typeof value !== 'object' || value === null) return []
  const { data, results } = value as Json
  if (Array.isArray(data)) return data.flatMap(toList)
  if (Array.isArray(results)) return results.flatMap(toList)
  return [value as Json]
}
