import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'

/**
 * `npm run messages`: extracts the texts of the web app from its code, and the translatable texts of the server, into the file of each
 * language. New texts are empty until they are translated. `notes.json` tells translators where a short text is shown.
 */
const ROOT = join(import.meta.dirname, '..')
const WEB = join(ROOT, 'web')

/** Attributes and properties whose values are visible text (unlike `heading="h2"`, `failed: 'bad'`). */
const VISIBLE_ATTRIBUTES = new Set(
  'title label aria-label placeholder about hint submit any none heading action what empty lost alt done failed message tip'.split(' '),
)
const UNTRANSLATED_ELEMENTS = new Set(['code', 'pre', 'kbd', 'Kbd'])

interface MessageScan {
  /** Texts that are passed to `t`, `pluralize` or `<Trans>`. */
  readonly sentences: Set<string>
  /** Where each text is shown: `button in monitors/settings.tsx`. */
  readonly places: Map<string, Set<string>>
  /** Visible texts that are not translatable: file, line, text. */
  readonly untranslatable: string[]
}

export const readMessages = (): MessageScan => {
  const reading: MessageScan = { sentences: new Set(), places: new Map(), untranslatable: [] }
  for (const file of globSync('**/*.{ts,tsx}', { cwd: WEB, exclude: ['dist/**', 'i18n/**', 'vite.config.ts'] }).toSorted())
    scanFile(file, reading)
  for (const file of globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] }).toSorted()) scanServerFile(file, reading)
  return reading
}

/** Functions of the server whose first argument is a template; see src/platform/core/translatable.ts. */
const TEMPLATE_FUNCTIONS = ['translatable', 'sentence']

const scanServerFile = (file: string, { sentences, places, untranslatable }: MessageScan): void => {
  const source = readFileSync(join(ROOT, file), 'utf8')
  if (!TEMPLATE_FUNCTIONS.some((name) => source.includes(`${name}(`))) return
  const readCall = ({ callee, arguments: [template] }: ESTree.CallExpression) => {
    if (callee.type !== 'Identifier' || !TEMPLATE_FUNCTIONS.includes(callee.name)) return
    if (isText(template)) {
      sentences.add(template.value)
      places.set(template.value, (places.get(template.value) ?? new Set()).add(`text in ${file}`))
    } else untranslatable.push(`${file}: ${source.slice(template?.start, template?.end)}`)
  }
  new Visitor({ CallExpression: readCall }).visit(parseSync(file, source, { lang: 'ts' }).program)
}

const scanFile = (file: string, { sentences, places, untranslatable }: MessageScan): void => {
  const source = readFileSync(join(WEB, file), 'utf8')
  const isBare = ({ start, end }: { start: number; end: number }) =>
    untranslatable.push(`web/${file}:${source.slice(0, start).split('\n').length} ${source.slice(start, end).trim().slice(0, 90)}`)
  const shownAs: string[] = [] // the elements, attributes and properties around the current node
  const addSentence = (sentence: string) => {
    sentences.add(sentence)
    places.set(sentence, (places.get(sentence) ?? new Set()).add(`${shownAs.at(-1) ?? 'text'} in ${file}`))
  }
  const readCall = (call: ESTree.CallExpression) => {
    if (call.callee.type !== 'Identifier') return
    const [first, ...others] = call.arguments
    if (call.callee.name === 't' && first) {
      if (isText(first)) addSentence(first.value)
      else isBare(first)
    }
    if (call.callee.name === 'pluralize') {
      const [noun, nouns] = others
      if (isText(noun) && (!nouns || isText(nouns))) addSentence(`{n:# ${noun.value}|# ${nouns ? nouns.value : `${noun.value}s`}}`)
      else isBare(call)
    }
  }
  const readGiven = (name: unknown, value: ESTree.Node) => {
    if (typeof name === 'string' && VISIBLE_ATTRIBUTES.has(name))
      for (const literal of findVisibleLiterals(value)) if (!isName(literal)) isBare(literal)
  }
  const readChildren = ({ children }: { readonly children: readonly ESTree.Node[] }) => {
    for (const child of children) findVisibleLiterals(child).forEach(isBare)
  }
  const translated = new Set<ESTree.Node>() // the message of <Trans>; other components have a `message` too
  const readElement = (element: ESTree.JSXElement) => {
    const { name, attributes } = element.openingElement
    if (name.type === 'JSXIdentifier' && name.name === 'Trans')
      for (const attribute of attributes)
        if (attribute.type === 'JSXAttribute' && attribute.name.name === 'message' && isText(attribute.value)) {
          addSentence(attribute.value.value)
          translated.add(attribute)
        }
    if (name.type !== 'JSXIdentifier' || !UNTRANSLATED_ELEMENTS.has(name.name)) readChildren(element)
  }
  const readAttribute = (attribute: ESTree.JSXAttribute) => {
    if (attribute.value && !translated.has(attribute)) readGiven(attribute.name.name, attribute.value)
  }
  const readProperty = ({ key, value }: { readonly key: ESTree.Node; readonly value: ESTree.Node }) => {
    if (key.type === 'Identifier') readGiven(key.name, value)
  }
  const enter = (place: string | undefined) => shownAs.push(place ?? shownAs.at(-1) ?? 'text')
  const leave = () => void shownAs.pop()
  const reader = {
    CallExpression: readCall,
    JSXElement: (element: ESTree.JSXElement) => {
      const { name } = element.openingElement
      enter(name.type === 'JSXIdentifier' && name.name !== 'Trans' ? toPlace(name.name) : undefined)
      readElement(element)
    },
    'JSXElement:exit': leave,
    JSXFragment: readChildren,
    JSXAttribute: (attribute: ESTree.JSXAttribute) => {
      enter(attribute.name.type === 'JSXIdentifier' && attribute.name.name !== 'words' ? attribute.name.name : undefined)
      readAttribute(attribute)
    },
    'JSXAttribute:exit': leave,
    Property: (property: { readonly key: ESTree.Node; readonly value: ESTree.Node }) => {
      enter(property.key.type === 'Identifier' ? property.key.name : undefined)
      readProperty(property)
    },
    'Property:exit': leave,
  }
  new Visitor(reader).visit(parseSync(file, source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).program)
}

const ELEMENT_PLACES: Readonly<Record<string, string>> = {
  a: 'link',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  th: 'column heading',
  dt: 'term of a list',
  dd: 'value in a list',
  span: 'text',
  div: 'text',
  p: 'paragraph',
}
const toPlace = (element: string): string => ELEMENT_PLACES[element] ?? element.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

const isText = (node: ESTree.Node | null | undefined): node is ESTree.StringLiteral =>
  node?.type === 'Literal' && typeof node.value === 'string'
const speaks = (text: string): boolean => /\p{L}/u.test(text.replaceAll(/&\w+;/g, ''))
const isName = (node: ESTree.Node): boolean => isText(node) && /^[a-z0-9-]+$/.test(node.value)

/** The literals in an expression that are shown: itself, or the branches of a condition. */
const findVisibleLiterals = (node: ESTree.Node): ESTree.Node[] => {
  switch (node.type) {
    case 'JSXText':
      return speaks(node.value) ? [node] : []
    case 'Literal':
      return isText(node) && speaks(node.value) ? [node] : []
    case 'TemplateLiteral':
      return node.quasis.some(({ value }) => speaks(value.raw)) ? [node] : []
    case 'JSXExpressionContainer':
      return findVisibleLiterals(node.expression)
    case 'ConditionalExpression':
      return [...findVisibleLiterals(node.consequent), ...findVisibleLiterals(node.alternate)]
    case 'LogicalExpression':
      return [...(node.operator === '&&' ? [] : findVisibleLiterals(node.left)), ...findVisibleLiterals(node.right)]
    default:
      return []
  }
}

const MAX_WORDS_WITH_NOTE = 2
const MAX_PLACES = 3

/** Where each text of at most two words is shown: alone, such a word may be a verb or a noun. */
export const buildNotes = ({ places }: MessageScan): Record<string, string> =>
  Object.fromEntries(
    sortSentences([...places.keys()].filter((sentence) => sentence.split(' // ')[0]!.split(/\s+/).length <= MAX_WORDS_WITH_NOTE)).map(
      (sentence) => {
        const all = [...places.get(sentence)!].toSorted()
        const more = all.length > MAX_PLACES ? `, and ${all.length - MAX_PLACES} more` : ''
        return [sentence, `${all.slice(0, MAX_PLACES).join(', ')}${more}`]
      },
    ),
  )

export const NOTES_FILE = join(WEB, 'i18n', 'notes.json')

const sortSentences = (sentences: readonly string[]): string[] => sentences.toSorted((a, b) => a.localeCompare(b, 'en'))

/** The translations of all languages other than English. */
export const translations = (): { readonly file: string; readonly messages: Record<string, string> }[] =>
  globSync('i18n/??.json', { cwd: WEB })
    .toSorted()
    .map((file) => ({ file, messages: JSON.parse(readFileSync(join(WEB, file), 'utf8')) }))

if (import.meta.main) {
  const scan = readMessages()
  const { sentences, untranslatable } = scan
  for (const { file, messages } of translations()) {
    const sorted = sortSentences([...sentences]).map((sentence) => [sentence, messages[sentence] ?? ''] as const)
    writeFileSync(join(WEB, file), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
    console.log(`web/${file}: ${sorted.filter(([, literal]) => literal === '').length} of ${sorted.length} to translate`)
  }
  writeFileSync(NOTES_FILE, `${JSON.stringify(buildNotes(scan), null, 2)}\n`)
  for (const line of untranslatable) console.log(`not translatable: ${line}`)
}
