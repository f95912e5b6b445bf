import { expect, test } from 'vitest'
import { withPublicAttachments } from './public-attachments.ts'

const OWN = '01980000-0000-7000-8000-000000000001'
const OTHER = '01980000-0000-7000-8000-000000000002'
const PUBLIC = '/api/v1/public_link/l/attachment/a?file_signature=s'
const show = (text: string) => withPublicAttachments(text, 'https://catalog.example.com', new Map([[OWN, PUBLIC]]))

test.each([
  [`![plan](/api/v1/attachment/${OWN}) and ![secret](/api/v1/attachment/${OTHER})`, `![plan](${PUBLIC}) and […]`],
  [`![plan](https://catalog.example.com/api/v1/attachment/${OWN.toUpperCase()} "title")`, `![plan](${PUBLIC} "title")`],
  [`[file.pdf][f]\n\n[f]: /api/v1/attachment/${OWN}`, `[file.pdf][f]\n\n[f]: ${PUBLIC}`],
  [`<img src="/api/v1/attachment/${OWN}" alt="plan">`, `<img src="${PUBLIC}" alt="plan">`],
  [`[![secret](/api/v1/attachment/${OWN})](/r/${OTHER})`, '[…]'],
  [`![secret](https://other.example.com/api/v1/attachment/${OWN})`, '[…]'],
  [`![secret](/api/v1/attachment/${OWN}/versions)`, '[…]'],
  [`![secret](/api/v1/attachment/${OWN}${OTHER})`, '[…]'],
  [`![secret](/x/api/v1/attachment/${OWN})`, '[…]'],
])('%s', (text, expected) => {
  expect(show(text)).toBe(expected)
  expect(show(text)).not.toContain('secret')
})
