import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { buildNotes, NOTES_FILE, readMessages, translations } from '../../scripts/messages.ts'
import { pluralize, t } from '../../web/i18n/messages.ts'

const scan = readMessages()
const { sentences, untranslatable } = scan
const findPlaceholders = (messages: string): string[] =>
  [...messages.matchAll(/\{(\w+)(:[^}]*)?\}/g)]
    .map(([, name, forms]) => `${name}${forms ? ` ${forms.split('|').length} forms` : ''}`)
    .toSorted()

describe('messages of the web app', () => {
  test('every visible text is translatable', () => expect(untranslatable).toEqual([]))

  test.each(translations())('$file translates every message of the code with its placeholders, and no other', ({ messages }) => {
    expect(Object.keys(messages).toSorted()).toEqual([...sentences].toSorted())
    expect(Object.entries(messages).filter(([, translation]) => translation.trim() === '' || translation.includes(' // '))).toEqual([])
    const others = Object.entries(messages).filter(
      ([sentence, translation]) => findPlaceholders(sentence).join() !== findPlaceholders(translation).join(),
    )
    expect(others).toEqual([])
  })

  test('translators can see where each short text is shown', () => {
    const notes = buildNotes(scan)
    expect(JSON.parse(readFileSync(NOTES_FILE, 'utf8'))).toEqual(notes) // npm run messages
    expect([...sentences].filter((sentence) => sentence.split(' ').length <= 2 && !/\w+ in \S+/.test(notes[sentence] ?? ''))).toEqual([])
    expect(notes.Save).toMatch(/^button in \S+\.tsx/)
  })

  test('fills in names and numbers, and drops notes to translators', () => {
    expect(t('Columns of {title}', { title: 'a {n} b' })).toBe('Columns of a {n} b')
    expect(pluralize(1, 'table')).toBe('1 table')
    expect(pluralize(12_345, 'query', 'queries')).toBe('12,345 queries')
    expect(t('{who} left {n:# word|# words}', { who: 'Ada', n: 0 })).toBe('Ada left 0 words')
    expect(t('Open // of a question')).toBe('Open')
  })
})
