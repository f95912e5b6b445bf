import { type Source, textOf } from './connector.ts'

/** Which tables a source reports: its `include` and `exclude`, comma-separated patterns. Pure. */
export interface Patterns {
  /** No patterns: everything is included. */
  readonly all: boolean
  /** The parts of the name, from the database down. */
  wants(...name: readonly string[]): boolean
}

export const patternsOf = (source: Source): Patterns => {
  const [include, exclude] = [read(textOf(source, 'include')), read(textOf(source, 'exclude'))]
  return {
    all: include.length === 0 && exclude.length === 0,
    wants: (...name) => (include.length === 0 || include.some((fits) => fits(name))) && !exclude.some((fits) => fits(name)),
  }
}

type Fits = (name: readonly string[]) => boolean

const read = (text = ''): Fits[] =>
  text.split(',').flatMap((pattern) => {
    const parts = pattern.trim().split('.')
    return parts.length === 1 && parts[0] === '' ? [] : [fitting(parts.map(matcher))]
  })

/** Compared from the end: `tmp_*` is any table with that name, `public.*` all tables of that schema. */
const fitting =
  (parts: readonly RegExp[]): Fits =>
  (name) =>
    parts.length <= name.length && parts.every((part, i) => part.test(name[name.length - parts.length + i]!))

const matcher = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '[^]*')
      .replaceAll('?', '[^]')}$`,
    'iu',
  )
