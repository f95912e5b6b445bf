/** Which names two lists of comma-separated patterns select. Pure; the web app uses it too. */
export interface Patterns {
  /** No patterns: everything is included. */
  readonly all: boolean
  /** The parts of the name, from the database down. */
  matches(...name: readonly string[]): boolean
}

export const compilePatterns = (includeText = '', excludeText = ''): Patterns => {
  const [include, exclude] = [parseList(includeText), parseList(excludeText)]
  return {
    all: include.length === 0 && exclude.length === 0,
    matches: (...name) => (include.length === 0 || include.some((fits) => fits(name))) && !exclude.some((fits) => fits(name)),
  }
}

type NameMatcher = (name: readonly string[]) => boolean

const parseList = (text: string): NameMatcher[] =>
  text.split(',').flatMap((pattern) => {
    const parts = pattern.trim().split('.')
    return parts.length === 1 && parts[0] === '' ? [] : [matchFromEnd(parts.map(globToRegExp))]
  })

/** Compared from the end: `tmp_*` is any table with that name, `public.*` all tables of that schema. */
const matchFromEnd =
  (parts: readonly RegExp[]): NameMatcher =>
  (name) =>
    parts.length <= name.length && parts.every((part, i) => part.test(name[name.length - parts.length + i]!))

const globToRegExp = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '[^]*')
      .replaceAll('?', '[^]')}$`,
    'iu',
  )
