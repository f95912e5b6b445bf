import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../web/commands/commands.ts'
import { isStillTyping, toChord, toSequences } from '../../web/commands/keys.ts'
import { findOtherPageCommands, findSettingsPages, matchesAllWords } from '../../web/commands/other-page-commands.ts'
import { Drafts } from '../../web/editor/drafts.ts'
import { detectLineSeparator } from '../../web/editor/line-endings.ts'
import { chooseLocale } from '../../web/i18n/language.ts'
import { findWholeContainers, listContainers, toggleContainer } from '../../web/integrations/schema-patterns.ts'
import { parseDefinitions, parseSections, withDefinitions } from '../../web/markdown/markdown-sections.ts'
import { toPlainExcerpt } from '../../web/markdown/plain-excerpt.ts'
import { formatFigure, formatLimits } from '../../web/monitors/format.ts'
import { nextColumnSort, sortColumns } from '../../web/resources/columns/column-sort.ts'
import { type CatalogSearch, getSort, parseCatalogSearch, toggleFacetValue, toSortParam } from '../../web/search/search-params.ts'
import { chooseSignInForm } from '../../web/session/choose-form.ts'
import { scoreOption } from '../../web/ui/picker-match.ts'

/** Logic of the web app that needs no browser. */
const pressed = (key: string, more: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {}) =>
  toChord({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more })

describe('shortcuts', () => {
  for (const [what, actual, chord] of [
    ['a letter', pressed('j'), 'j'],
    ['a letter with capitals locked', pressed('J'), 'j'],
    ['a character that needs Shift on most keyboards', pressed('?', { shiftKey: true }), '?'],
    ['Shift and a letter', pressed('X', { shiftKey: true }), 'shift+x'],
    ['⌘K', pressed('k', { metaKey: true }), 'mod+k'],
    ['Ctrl+Shift+P', pressed('P', { ctrlKey: true, shiftKey: true }), 'mod+shift+p'],
    ['the space bar', pressed(' '), 'Space'],
    ['Shift alone', pressed('Shift', { shiftKey: true }), undefined],
    ['a character typed with Alt', pressed('@', { altKey: true }), undefined],
  ] as const)
    test(what, () => expect(actual).toBe(chord))

  test('a second key within a second completes a sequence', () => {
    expect(toSequences({ chord: 'g', at: 1000 }, 'c', 1900)).toEqual(['g c', 'c'])
    expect(toSequences({ chord: 'g', at: 1000 }, 'c', 2100)).toEqual(['c'])
  })

  test('letters typed right after leaving a text field run no command; after a pause they do', () => {
    expect(isStillTyping({ at: 1000 }, 1900)).toBe(true)
    expect(isStillTyping({ at: 1000 }, 2600)).toBe(false)
    expect(isStillTyping(undefined, 1900)).toBe(false)
  })

  test('no shortcut is used twice on one page', () => {
    const taken = Map.groupBy(
      Object.values(COMMANDS).filter(({ keys }) => keys),
      ({ keys, group }) => `${['General', 'Go to'].includes(group) ? '' : group} ${keys}`,
    )
    expect([...taken.values()].filter((commands) => commands.length > 1)).toEqual([])
    const everywhere = new Set(
      Object.values(COMMANDS)
        .filter(({ group }) => group === 'General' || group === 'Go to')
        .map(({ keys }) => keys?.split(' ')[0]),
    )
    // The first key of a sequence must not be a command on its own.
    expect(Object.values(COMMANDS).filter(({ keys }) => keys === 'g' && everywhere.has('g'))).toEqual([])
  })
})

describe('URL state of the catalog', () => {
  test('drops unknown and invalid parameters', () => {
    expect(parseCatalogSearch({ q: '  ', sort: 'nonsense', entity_type: 'table,column', other: 'x', peek: 7 })).toEqual({
      entity_type: 'table,column',
    })
    expect(parseCatalogSearch({ q: '123', sort: 'title' })).toEqual({ q: '123', sort: 'title' })
  })

  test('toggles a facet value; a flag has at most one value', () => {
    const address: CatalogSearch = { q: 'orders', entity_type: 'table' }
    expect(toggleFacetValue(address, 'entity_type', 'column').entity_type).toBe('table,column')
    expect(toggleFacetValue(address, 'entity_type', 'table').entity_type).toBeUndefined()
    expect(toggleFacetValue({ published: 'true' }, 'published', 'false').published).toBe('false')
    expect(toggleFacetValue({ published: 'false' }, 'published', 'false').published).toBeUndefined()
  })
})

describe('line endings', () => {
  for (const [text, separator] of [
    ['one line', '\n'],
    ['a\nb', '\n'],
    ['a\r\nb\r\n', '\r\n'],
    ['a\r\nb\nc', '\n'],
    ['a\rb\r\nc', '\n'],
    ['\nb\r\n', '\n'],
  ] as const)
    test(JSON.stringify(text), () => {
      expect(detectLineSeparator(text)).toBe(separator)
      expect(text.split(separator).join(separator)).toBe(text)
    })
})

describe('drafts', () => {
  const createStorage = () => {
    const values = new Map<string, string>()
    return {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
      removeItem: (key: string) => void values.delete(key),
      key: (i: number) => [...values.keys()][i] ?? null,
      get length() {
        return values.size
      },
    }
  }
  const draft = (text: string) => ({ text, base: { version: 3, definition: 'before' } })

  test('belong to one user and stay until saved or signed out', () => {
    const store = createStorage()
    const [ada, bob] = ['ada', 'bob'].map((user) => new Drafts(user, store))
    ada!.save('r1', draft('of Ada'))
    bob!.save('r1', draft('of Bob'))
    expect(new Drafts('ada', store).find('r1')).toMatchObject(draft('of Ada'))
    ada!.delete('r1')
    expect([ada!.find('r1'), bob!.find('r1')?.text]).toEqual([undefined, 'of Bob'])
    ada!.save('r2', draft('x'))
    ada!.deleteAll()
    expect([ada!.find('r2'), bob!.find('r1')?.text]).toEqual([undefined, 'of Bob'])
  })

  test('keeps the newest fifty of the last thirty days', () => {
    const store = createStorage()
    let now = 0
    const drafts = new Drafts('ada', store, () => now)
    for (let i = 1; i <= 60; i += 1) {
      now += 1000
      drafts.save(`r${i}`, draft(`text ${i}`))
    }
    expect([store.length, drafts.find('r10'), drafts.find('r11')?.text]).toEqual([50, undefined, 'text 11'])
    now += 31 * 24 * 3_600_000
    expect(drafts.find('r60')).toBeUndefined()
    drafts.save('new', draft('new'))
    expect(store.length).toBe(1)
  })

  test('ignores invalid entries and a full storage', () => {
    const store = createStorage()
    store.setItem('draft ada r1', 'plain text')
    const drafts = new Drafts('ada', store)
    expect(drafts.find('r1')).toBeUndefined()
    const full = new Drafts('ada', {
      ...createStorage(),
      setItem: () => {
        throw new Error('full')
      },
    })
    full.save('r1', draft('x'))
    expect(full.find('r1')).toBeUndefined()
  })
})

test('asks for the first admin password only until someone has a password or there is an identity provider', () => {
  expect(chooseSignInForm({ setup_needed: true, has_passwords: false, oidc: null })).toBe('setup')
  expect(chooseSignInForm({ setup_needed: true, has_passwords: false, oidc: {} })).toBe('password')
  expect(chooseSignInForm({ setup_needed: true, has_passwords: true, oidc: null })).toBe('password')
  expect(chooseSignInForm({ setup_needed: false, has_passwords: true, oidc: null })).toBe('password')
  expect(chooseSignInForm(undefined)).toBe('password')
})

describe('sections of a long Markdown text', () => {
  const paragraph = `${'Words of a paragraph. '.repeat(40)}\n\n`
  const repeated = (block: string, size: number) => block.repeat(Math.ceil(size / block.length))

  test('a short text is one section', () => expect(parseSections(paragraph.repeat(3))).toHaveLength(1))

  test('joined they are the text, and each is short', () => {
    const text = repeated(`## Heading\n\n${paragraph}- a\n- b\n\n| a |\n|---|\n| 1 |\n\n`, 2_000_000)
    const sections = parseSections(text)
    expect(sections.join('')).toBe(text)
    expect(Math.max(...sections.map(({ length }) => length))).toBeLessThan(8_000)
  })

  for (const [what, block] of [
    ['a fenced block', `\`\`\`\n${repeated(`# no heading\n\n${paragraph}`, 30_000)}\`\`\`\n`],
    ['an HTML element', `<details>\n\n${repeated(`# Heading\n\n${paragraph}`, 30_000)}</details>\n`],
    ['an indented continuation of a list item', `- item\n\n${repeated(`  ${paragraph}`, 30_000)}`],
    ['a table', `| a | b |\n|---|---|\n${repeated('| 1 | 2 |\n', 30_000)}`],
  ] as const)
    test(`${what} is not split`, () => {
      expect(parseSections(`${repeated(paragraph, 30_000)}${block}\nThe end.\n`).some((section) => section.includes(block))).toBe(true)
    })

  test('an unclosed HTML element does not prevent splitting', () => {
    expect(parseSections(`<div>\n\n${repeated(paragraph, 400_000)}`).length).toBeGreaterThan(10)
  })

  test('adds link definitions from other sections', () => {
    const definitions = parseDefinitions('[Docs]: https://example.com/docs\n\nText\n[other]: /search')
    expect(withDefinitions('See [the docs][docs].', definitions)).toBe('See [the docs][docs].\n\n[Docs]: https://example.com/docs')
    expect(withDefinitions('See nothing.', definitions)).toBe('See nothing.')
  })
})

describe('command palette', () => {
  const everything = () => true
  const labels = (words: string, may: (permission: string) => boolean = everything) => [
    ...findOtherPageCommands(words, new Set(), may).map(({ label }) => label),
    ...findSettingsPages(words, may).map(({ label }) => label),
  ]
  for (const [words, label] of [
    ['create monitor', 'New monitor'],
    ['add term', 'New term'],
    ['new integration', 'Add integration'],
    ['invite', 'Invite people'],
    ['settings tokens', 'API tokens'],
    ['webhook', 'Webhooks'],
  ] as const)
    test(`finds “${words}” on any page`, () => expect(labels(words)).toContain(label))

  test('lists only permitted commands that are not on this page', () => {
    expect(labels('invite', (permission) => permission !== 'people.manage')).toEqual([])
    expect(findOtherPageCommands('new monitor', new Set(['monitors.new']), everything)).toEqual([])
  })

  test('finds nothing if a word does not match', () => expect(matchesAllWords('create dragon', 'monitors new monitor')).toBe(false))
})

describe('picker', () => {
  test('matches substrings, not scattered letters', () => {
    expect(scoreOption('Eddi', ['Grace Lindqvist', 'grace.lindqvist@example.com'])).toBe(0)
    expect(scoreOption('lind', ['Grace Lindqvist', 'g@example.com'])).toBe(1)
    expect(scoreOption('grace lind', ['Grace Lindqvist', ''])).toBe(1)
    expect(scoreOption('qvist', ['Grace Lindqvist', ''])).toBe(0.5)
    expect(scoreOption('', ['anything'])).toBe(1)
  })
})

describe('plain excerpt of Markdown', () => {
  const marked = (text: string, word: string) => {
    const from = text.indexOf(word)
    const excerpt = toPlainExcerpt(text, [[from, from + word.length]])
    return [excerpt.text, ...excerpt.ranges.map(([start, end]) => excerpt.text.slice(start, end))]
  }
  for (const [text, word, plain] of [
    ['## Use it for\n- [Revenue](/r/ff8c) per day', 'Revenue', 'Use it for Revenue per day'],
    ['| day | **net** |\n|---|--:|\n| 1 | `revenue` |', 'revenue', 'day net 1 revenue'],
    ['1. [x] done _soon_, net_revenue stays', 'net_revenue', 'done soon, net_revenue stays'],
    ['cut off [in a link](https://exam', 'link', 'cut off in a link'],
    [
      'select count(*), sum(net) from a_b where a || b < c and d > e',
      'net',
      'select count(*), sum(net) from a_b where a || b < c and d > e',
    ],
    ['2 * 3 < 7 and a <b>word</b>', 'word', '2 * 3 < 7 and a word'],
  ] as const)
    test(JSON.stringify(text), () => expect(marked(text, word)).toEqual([plain, word]))

  test('drops a highlight that covers only Markdown syntax', () =>
    expect(toPlainExcerpt('# a', [[0, 1]])).toEqual({ text: 'a', ranges: [] }))
})

describe('measured values', () => {
  for (const [value, unit, words] of [
    [33.7257, ' h', '1 d 10 h'],
    [47.99, ' h', '2 d'],
    [2.5, ' h', '2 h 30 min'],
    [0.66, ' h', '40 min'],
    [0, ' h', '0 min'],
    [33.3333, ' %', '33.3 %'],
    [100, ' %', '100 %'],
    [0.01234, ' %', '0.0123 %'],
    [1234.5678, '', '1,234.57'],
  ] as const)
    test(`${value}${unit}`, () => expect(formatFigure(value, unit)).toBe(words))

  test('formats limits in the same units', () => expect(formatLimits(20.1, 33.7, ' h')).toBe('20 h 6 min–1 d 10 h'))
})

describe('column header', () => {
  test('sorts by the column, and omits the default order from the URL', () => {
    expect([getSort({}), getSort({ q: 'orders' }), getSort({ q: 'orders', sort: 'title' })]).toEqual(['usage', 'relevance', 'title'])
    expect([toSortParam('usage', undefined), toSortParam('usage', 'orders'), toSortParam('relevance', 'orders')]).toEqual([
      undefined,
      'usage',
      undefined,
    ])
  })
})

describe('columns of a table', () => {
  const column = (id: string, type: string | null, stale = false) => ({ id, title: id, type, stale }) as never
  const columns = [column('b', 'text'), column('a', null), column('gone', 'int', true), column('c', 'int')]
  const facts = { a: { null_percentage: 5, distinct_values: null }, b: { null_percentage: null }, c: { null_percentage: 0 } } as never
  const sorted = (sort: Parameters<typeof sortColumns>[1]) => sortColumns(columns, sort, facts).map(({ id }) => id)

  test('are in the order of the source or of a header; what has no value comes last, what is gone after it', () => {
    expect(sorted(undefined)).toEqual(['b', 'a', 'c', 'gone'])
    expect(sorted('title')).toEqual(['a', 'b', 'c', 'gone'])
    expect(sorted('-title')).toEqual(['c', 'b', 'a', 'gone'])
    expect(sorted('type')).toEqual(['c', 'b', 'a', 'gone'])
    expect(sorted('-null')).toEqual(['a', 'c', 'b', 'gone'])
    expect(sorted('null')).toEqual(['c', 'a', 'b', 'gone'])
  })

  test('a header sorts ascending, descending, and no longer', () =>
    expect([
      nextColumnSort(undefined, 'type'),
      nextColumnSort('type', 'type'),
      nextColumnSort('-type', 'type'),
      nextColumnSort('title', 'null'),
    ]).toEqual(['type', '-type', undefined, 'null']))
})

describe('schemas in patterns', () => {
  test('are listed with what is in them', () =>
    expect(
      listContainers([{ path: ['shop', 'public', 'a'] }, { path: ['shop', 'b', 'c'] }, { path: ['shop', 'public', 'd'] }, { path: ['e'] }]),
    ).toEqual([
      { name: 'shop.b', count: 1 },
      { name: 'shop.public', count: 2 },
    ]))

  test('are added and removed beside other patterns', () => {
    expect(toggleContainer('', 'shop.public')).toBe('shop.public.*')
    expect(toggleContainer('tmp_*, shop.public.*', 'shop.b')).toBe('tmp_*, shop.public.*, shop.b.*')
    expect(toggleContainer('tmp_*, shop.public.*', 'shop.public')).toBe('tmp_*')
    expect(findWholeContainers('tmp_*, shop.public.*, *.x.*')).toEqual(['shop.public'])
  })
})

test.each([
  ['en-GB', 'en', 'en-GB'],
  ['de-AT', 'en', 'en'],
  ['en-US@posix', 'en', 'en'],
] as const)('dates and numbers of a browser with %s, shown in %s, use %s', (tag, language, expected) => {
  expect(chooseLocale(tag, language)).toBe(expected)
})
