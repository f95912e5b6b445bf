import { expect, test } from 'vitest'
import { cleanAnswerText, findLinkedIds, withoutIncompleteEnd } from './answer-text.ts'

const ID = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
const UNKNOWN = '018f3d1c-4b5a-7c3e-9d2f-000000000000'
const known = new Map([[ID, { title: 'orders' }]])

test.each([
  ['a resource that a tool returned is linked', `See [orders](https://catalog.example.com/r/${ID}).`, `See [orders](/r/${ID}).`],
  ['by its path too', `[orders](/r/${ID.toUpperCase()} "title")`, `[orders](/r/${ID})`],
  ['and by its bare address', `https://catalog.example.com/r/${ID}`, `[orders](/r/${ID})`],
  ['an invented resource is not', `See [refunds](https://catalog.example.com/r/${UNKNOWN}).`, 'See refunds.'],
  ['nor another site', '[click](https://evil.example/?q=secret)', 'click'],
  ['nor a script', '[click](javascript:alert(1))', /^click|\[click\] \(/],
  ['an image is never shown', '![x](https://evil.example/pixel.png)', 'x'],
  ['an image of a resource is a link', `![x](/r/${ID})`, `[x](/r/${ID})`],
  ['HTML is text', '<img src=https://evil.example/p.png onerror=alert(1)>', /^&lt;img src=`https:/],
  ['a bare address is code', 'go to https://evil.example/a and www.evil.example', 'go to `https://evil.example/a` and `www.evil.example`'],
  ['a definition defines nothing', '[click][1]\n\n> [1]: //evil.example', '[click][1]\n\n> [1] : //evil.example'],
  ['a link in a link', '[[a](https://evil.example)](https://evil.example)', /^(?!.*\]\()/],
  ['a link across lines', '[a\nb](//evil.example)', '[a\nb] (//evil.example)'],
  ['SQL in a block stays', '```sql\nselect a < b, x[1] from t\n```\n', '```sql\nselect a < b, x[1] from t\n```\n'],
  ['a block hides no link', '```\n[a](//evil.example)\n```', '```\n[a] (//evil.example)\n```'],
  ['a fence that is none', '``` `\n[a](//evil.example)\n``` `', /^(?!.*\]\()/s],
  ['escaped backticks', '\\`[a](//evil.example)\\`', /^(?!.*\]\()/],
])('%s', (_, text, expected) => {
  const cleaned = cleanAnswerText(text, known)
  if (typeof expected === 'string') expect(cleaned).toBe(expected)
  else expect(cleaned).toMatch(expected)
})

test('the resources of a text, once each', () => {
  expect(findLinkedIds(`[a](/r/${ID}) and [b](/r/${ID})`)).toEqual([ID])
})

test.each([
  ['See [orders](https://cat', 'See '],
  ['See [ord', 'See '],
  ['See https://evil.exa', 'See '],
  ['Look: `', 'Look: '],
  ['Done.', 'Done.'],
])('the end of %j is withheld while it is written', (text, shown) => {
  expect(withoutIncompleteEnd(text)).toBe(shown)
})
