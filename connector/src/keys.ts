/** The key of something in a database: the parts of its name, joined with dots. Dots and backslashes inside a part are escaped. */
export const toKey = (...parts: readonly string[]): string => {
  let key = ''
  for (const [i, part] of parts.entries()) key += (i > 0 ? '.' : '') + (NEEDS_ESCAPING.test(part) ? part.replace(/[\\.]/g, '\\$&') : part)
  return key
}
const NEEDS_ESCAPING = /[\\.]/ // most names need no escaping, and there are hundreds of thousands

/** The parts of a key, as named in the source. */
export const splitKey = (key: string): string[] =>
  [...`.${key}`.matchAll(/\.((?:\\.|[^.\\])*)/gs)].map(([, part]) => part!.replace(/\\(.)/gs, '$1'))
