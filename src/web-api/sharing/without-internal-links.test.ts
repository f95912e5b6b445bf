import { expect, test } from 'vitest'
import { withoutInternalLinks } from './without-internal-links.ts'

const ID = '01980000-0000-7000-8000-000000000001'
const hide = (text: string) => withoutInternalLinks(text, 'https://catalog.example.com')

test.each([
  [`see [secret](/r/${ID}).`, 'see […].'],
  [`see [a [secret] name](/r/${ID} "secret").`, 'see […].'],
  [`see [**secret**](https://catalog.example.com/r/${ID}?tab=columns).`, 'see […].'],
  [`see [secret](<https://catalog.example.com/r/${ID}>).`, 'see […].'],
  [`see [secret](https://other.example.com/r/${ID}).`, 'see […].'],
  [`[@Grace](/people/${ID}) knows`, '[…] knows'],
  [`![secret plan](/api/v1/attachments/${ID})`, '[…]'],
  [`[![secret](/api/v1/attachments/${ID})](https://example.com)`, '[[…]](https://example.com)'],
  [`https://catalog.example.com/r/${ID} and <https://catalog.example.com/r/${ID}>`, '[…] and <[…]>'],
  [`see [secret][x] and [x] and [x][]\n\n[x]: /r/${ID} "secret"`, 'see […] and […] and […]\n\n'],
  [`<a href="/r/${ID}">secret</a>`, '[…]'],
  [`<img src="/api/v1/attachments/${ID}" alt="secret">`, '[…]'],
  [
    '- [ ] a task, [a site](https://example.com/a_(b)), [mail](mailto:a@example.com), [above](#top)',
    '- [ ] a task, [a site](https://example.com/a_(b)), [mail](mailto:a@example.com), [above](#top)',
  ],
  ['[site][s]\n\n[s]: https://example.com', '[site][s]\n\n[s]: https://example.com'],
  ['an [unclosed bracket (and', 'an [unclosed bracket (and'],
])('%s', (text, expected) => {
  expect(hide(text)).toBe(expected)
  expect(hide(text)).not.toContain('secret')
})

test('long hostile texts are read once', () => {
  for (const text of ['['.repeat(200_000), 'a'.repeat(1_000_000), '<a '.repeat(100_000), '[x]('.repeat(100_000)])
    expect(hide(text).length).toBeGreaterThan(0)
})
