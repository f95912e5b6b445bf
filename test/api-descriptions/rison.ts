/** A value written as Superset expects parameters: `(page:0,columns:!(id,'slice name'))`. Throws if it is not written that way. */
export const parseRison = (text: string): unknown => {
  let at = 0
  const fail = (): never => {
    throw new Error(`is not Rison at character ${at + 1}`)
  }
  const skip = (expected: string): void => {
    if (!text.startsWith(expected, at)) fail()
    at += expected.length
  }
  const readUntil = <T>(read: () => T): T[] => {
    const found: T[] = []
    while (text[at] !== ')') {
      if (found.length > 0) skip(',')
      found.push(read())
    }
    at += 1
    return found
  }
  const readWord = (): string => {
    const [word = ''] = /^[^\s'!:(),*@$]+/.exec(text.slice(at)) ?? []
    at += word.length
    return word === '' ? fail() : word
  }
  const readText = (): string => {
    const [quoted = '', inner = ''] = /^'((?:[^'!]|!['!])*)'/.exec(text.slice(at)) ?? []
    at += quoted.length
    return quoted === '' ? fail() : inner.replaceAll(/!(['!])/g, '$1')
  }
  const readValue = (): unknown => {
    if (text[at] === "'") return readText()
    if (text[at] === '(') {
      at += 1
      return Object.fromEntries(readUntil(readField))
    }
    if (text[at] !== '!') return toValue(readWord())
    at += 2
    const constants: Readonly<Record<string, unknown>> = { t: true, f: false, n: null }
    const mark = text[at - 1]!
    return mark === '(' ? readUntil(readValue) : mark in constants ? constants[mark] : fail()
  }
  const readField = (): [string, unknown] => {
    const name = text[at] === "'" ? readText() : readWord()
    skip(':')
    return [name, readValue()]
  }
  const value = readValue()
  return at === text.length ? value : fail()
}

const toValue = (word: string): string | number => (/^-?\d+(?:\.\d+)?$/.test(word) ? Number(word) : word)
