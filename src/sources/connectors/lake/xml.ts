import { SaxesParser } from 'saxes'
import { DriftError, Shape } from '../../../../connector/src/shape.ts'

interface OpenElement {
  readonly name: string
  /** Azure encodes names with characters that XML cannot contain. */
  readonly encoded: boolean
  readonly fields: Record<string, unknown>
  text: string
}

/** The fields of an XML response: an element is an object or, without elements in it, text. Those in `lists` are always lists. */
export const parseXml = (xml: string, root: string, lists: readonly string[], what: string): Shape => {
  const open: OpenElement[] = []
  let found: OpenElement | undefined
  const parser = new SaxesParser()
  parser.on('error', () => {
    throw new DriftError(`${what} did not return valid XML. Is the URL that of the storage?`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    open.push({ name, encoded: attributes.Encoded === 'true', fields: Object.create(null), text: '' })
  })
  const addText = (text: string) => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const element = open.pop()!
    const parent = open.at(-1)
    if (!parent) found = element
    else if (!lists.includes(element.name)) parent.fields[element.name] = toValue(element)
    else getList(parent, element.name).push(toValue(element))
  })
  parser.write(xml).close()
  if (found?.name !== root) throw new DriftError(`${what}: the response must be <${root}>, but is <${found?.name}>.`)
  return new Shape(found.fields, what)
}

const getList = ({ fields }: OpenElement, name: string): unknown[] => {
  const list = (fields[name] as unknown[] | undefined) ?? []
  fields[name] = list
  return list
}

const toValue = ({ fields, text, encoded }: OpenElement): unknown =>
  Object.keys(fields).length > 0 ? fields : encoded ? decodeURIComponent(text) : text
