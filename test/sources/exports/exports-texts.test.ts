import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readRecords } from '../../../src/sources/exports/read-export.ts'
import { convertSecoda } from '../../../src/sources/exports/secoda.ts'
import { runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const SECODA = {
  'users.json': [{ id: 'u1', email: 'ADMIN' }],
  'integrations.json': [{ id: 'i', type: 'postgres' }],
  'custom_properties.json': [
    { id: 'p1', name: 'Cost center', entity_types: ['all'], value_type: 'string' },
    { entity_ids: ['t1', 'q'], properties: { p1: '4711' } },
  ],
  'resources.json': {
    results: [
      { id: 't1', entity_type: 'table', title: 'people', title_full: 'crm.app.people', integration: 'i', properties: { Tier: 'gold' } },
      { id: 'c1', entity_type: 'column', title: 'email', parent: 't1', custom_properties: [{ custom_property_id: 'p1', value: '42' }] },
      { id: 'q', entity_type: 'query', title: 'Q', definition: 'select 1' },
      {
        id: 'doc',
        entity_type: 'document',
        title: 'How to',
        definition: '# How to',
        owners: ['u1'],
        custom_properties: { p1: '7' },
        votes: 3,
      },
      { id: 'page', entity_type: 'document', title: 'Page', description: 'Short.', definition: 'Long.', parent_id: 'doc' },
      ...[
        { id: 'r1', entity_type: 'question_reply', definition: 'Perhaps.', parent: 'ask', owners: ['u2'] },
        { id: 'r2', entity_type: 'question_reply', title: 'Yes.', definition: 'Yes, since May.', parent: 'ask', owners: ['u1'] },
        { id: 'r3', entity_type: 'question_reply', title: 'Lost answer', parent: 'nowhere' },
      ],
    ],
  },
  'questions.json': [
    {
      ...{ id: 'ask', title: 'Is it complete?', description: 'I see gaps.', base_entity_id: 't1', accepted_reply: 'r2' },
      ...{ question_status: 'answered', question_answered_by: 'u1' },
    },
    { id: 'other', title: 'Which?', base_entity_id: 'gone' },
  ],
}

const find = async (app: TestApp, title: string) => {
  const { rows } = await sql<{ id: string }>`select id from resources where title = ${title} and integration is not null`.execute(app.db)
  expect([title, rows.length]).toEqual([title, 1])
  return (await app.call('GET', `/resource/all/${rows[0]!.id}`)).body
}

test('documents, questions with their answers and custom properties of Secoda arrive', async () => {
  await using app = await createTestApp()
  const { id: owner } = await app.createUser('editor')
  const email = `editor-${owner}@example.com`
  const files = Object.entries(SECODA).map(([name, records]) => readRecords(name, JSON.stringify(records).replaceAll('ADMIN', email)))
  const { events, losses, counts } = convertSecoda(files, 'Secoda')
  const { status, text } = await app.call('POST', '/integration/datahub/events', { body: events })
  expect([status, text.slice(0, 200)]).toMatchObject([200, expect.any(String)])
  const { rows } = await sql<{ id: string }>`select id from integrations where name = 'Secoda'`.execute(app.db)
  const { failed } = await runSync(app, rows[0]!.id)
  if (failed instanceof Error) throw failed

  expect(Object.fromEntries(counts)).toMatchObject({ document: 2, question: 2, question_reply: 3 })
  const document = await find(app, 'How to')
  expect(document).toMatchObject({
    ...{ entity_type: 'document', definition: '# How to', owners: [owner] },
    display_metadata: { custom_properties: { 'Cost center': '7' } },
  })
  expect(await find(app, 'Page')).toMatchObject({ entity_type: 'document', definition: 'Short.\n\nLong.', parent: document.id })
  expect((await app.call('GET', '/document')).body.results.map(({ title }: { title: string }) => title)).toContain('How to')
  expect(await find(app, 'Is it complete?')).toMatchObject({
    ...{ entity_type: 'document', native_type: 'Question' },
    definition: `I see gaps.\n\n## Accepted answer (${email})\n\nYes, since May.\n\n## Answer (u2)\n\nPerhaps.`,
    display_metadata: {
      custom_properties: { about: 'crm.app.people', status: 'answered', answered_by: email },
      aspects: { documentInfo: { relatedAssets: [{ asset: 'urn:li:dataset:(urn:li:dataPlatform:postgres,crm.app.people,PROD)' }] } },
    },
  })
  expect((await find(app, 'people')).display_metadata.custom_properties).toEqual({ Tier: 'gold', 'Cost center': '4711' })
  expect((await find(app, 'Q')).display_metadata.custom_properties).toEqual({ 'Cost center': '4711' })
  expect((await find(app, 'email')).display_metadata.aspects.schemaMetadata).toEqual({ customProperties: { 'Cost center': '42' } })
  for (const line of [
    'the definition of the custom property Cost center: its values arrive as facts of the resources.',
    'Lost answer: the question of this answer is not in the export.',
    'Which?: that it is about gone, which is not in the export.',
    'the field votes of each document.',
  ])
    expect(losses.lines).toContain(line)
})
