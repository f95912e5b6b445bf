/**
 * LookML's texts without what is known only when a query runs. There are no users and no filters here: a condition is what it is without a filter, of
 * the branches of a template the last resort is taken. Pure.
 */

const PLACEHOLDER = '\0'

/** `@{name}`; what the manifest does not define stays as it is. */
export const expandConstants = (text: string, constants: ReadonlyMap<string, string>): string =>
  text.includes('@{') ? text.replace(/@\{\s*([\w-]+)\s*\}/g, (whole, name: string) => constants.get(name) ?? whole) : text

export interface PlainText {
  readonly text: string
  /** Whether it contained a template. */
  readonly templated: boolean
}

/** SQL as it is in production and without templates. */
export const toPlainSql = (sql: string): PlainText => {
  const production = sql.replace(/--[ \t]*if dev[ \t]*--.*?(?=--[ \t]*if prod[ \t]*--|$)/gm, '').replace(/--[ \t]*if prod[ \t]*--/g, '')
  return /\{[{%]/.test(production) ? { text: renderDefaults(production), templated: true } : { text: production, templated: false }
}

interface Frame {
  readonly tag: string
  readonly branches: string[]
  hasElse: boolean
}

const renderDefaults = (text: string): string => {
  const frames: Frame[] = [{ tag: '', branches: [''], hasElse: false }]
  const write = (more: string) => {
    const { branches } = frames.at(-1)!
    branches[branches.length - 1] += more
  }
  const close = () => write(chooseBranch(frames.pop()!))
  for (const { value, kind } of splitTemplate(text)) {
    if (kind === 'text') write(value)
    else if (kind === 'output')
      write(
        /\|\s*default:\s*(?:'([^']*)'|"([^"]*)")/
          .exec(value)
          ?.slice(1)
          .find((each) => each !== undefined) ?? PLACEHOLDER,
      )
    else {
      const tag = /^-?\s*(\w+)/.exec(value)?.[1] ?? ''
      const { tag: open } = frames.at(-1)!
      if (PAIRED.has(tag)) frames.push({ tag, branches: [''], hasElse: false })
      else if (tag === 'elsif' || tag === 'when' || tag === 'else') {
        frames.at(-1)!.branches.push('')
        if (tag === 'else') frames.at(-1)!.hasElse = true
      } else if (tag === `end${open}` && frames.length > 1) close()
      else if (tag === 'parameter' || tag === 'date_start' || tag === 'date_end') write(PLACEHOLDER)
    }
  }
  while (frames.length > 1) close()
  // Part of a name is left out, a whole value is null.
  return frames[0]!.branches
    .join('')
    .replace(/([\w.`"'[\]-]?)\0+(?=([\w.`"'[\]-])?)/g, (_, before: string, after?: string) =>
      before !== '' || after !== undefined ? before : 'null',
    )
}

const PAIRED = new Set(['if', 'unless', 'case', 'condition', 'incrementcondition', 'comment', 'raw', 'for', 'capture'])

const chooseBranch = ({ tag, branches, hasElse }: Frame): string => {
  if (tag === 'condition' || tag === 'incrementcondition') return '1=1'
  if (tag === 'comment' || tag === 'capture') return ''
  if (tag === 'unless') return branches[0]!
  if (hasElse) return branches.at(-1)!
  return (tag === 'case' ? branches[1] : branches[0]) ?? ''
}

function* splitTemplate(text: string): Generator<{ readonly value: string; readonly kind: 'text' | 'output' | 'tag' }, void> {
  let at = 0
  for (;;) {
    const start = text.slice(at).search(/\{[{%]/)
    const kind = text[at + start + 1] === '{' ? 'output' : 'tag'
    const end = start < 0 ? -1 : text.indexOf(kind === 'output' ? '}}' : '%}', at + start + 2)
    if (end < 0) break
    yield { value: text.slice(at, at + start), kind: 'text' }
    yield { value: text.slice(at + start + 2, end), kind }
    at = end + 2
  }
  yield { value: text.slice(at), kind: 'text' }
}
