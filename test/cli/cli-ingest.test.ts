import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { ingestCommand } from '../../src/app/cli/ingest.ts'
import { dataset, field, proposal } from '../sources/datahub/datahub-shapes.ts'

/** A server that accepts everything: what is sent to it, and what the command prints. */
const ingest = async (content: string, args = ['--url', 'http://localhost', '--token', 't']) => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-ingest-'))
  const file = join(folder, 'events.jsonl')
  await writeFile(file, content)
  const sent: unknown[] = []
  const printed: string[] = []
  vi.stubGlobal('fetch', async (_: string, { body }: { body?: string }) => {
    if (body === undefined) return Response.json({ id: 'job', status: 'COMPLETED', failed: false, logs: 'Synced.\n' })
    sent.push(...JSON.parse(body))
    return Response.json({ received: JSON.parse(body).length, jobs: [{ id: 'job' }] })
  })
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  try {
    const code = await ingestCommand.run([...args, file])
    return { code, sent, printed: printed.join('').replaceAll(file, 'events.jsonl') }
  } finally {
    write.mockRestore()
    vi.unstubAllGlobals()
    await rm(folder, { recursive: true })
  }
}

const [one, other] = ['one', 'other'].map((name) => proposal(dataset('s3', name), 'datasetProperties', { name }))

test('a broken line of an event file is named with its number, and the others are sent', async () => {
  const { code, sent, printed } = await ingest(`\uFEFF${JSON.stringify(one)}\r\n\r\n{"entityUrn": \r\n${JSON.stringify(other)}\r\n`)
  expect([code, sent]).toEqual([1, [one, other]])
  expect(printed).toMatch(/^Not taken over: events\.jsonl, line 3: /m)
  expect(printed).toContain('Synced.')
})

test('a list, one event and one event per line are all read', async () => {
  for (const content of [JSON.stringify([one, other], null, 2), `${JSON.stringify(one)}\n${JSON.stringify(other)}`])
    expect(await ingest(content)).toMatchObject({ code: 0, sent: [one, other] })
  expect(await ingest(JSON.stringify(one, null, 2))).toMatchObject({ code: 0, sent: [one] })
})

test('a file in which nothing can be read, or a list that is cut off, is an error', async () => {
  await expect(ingest('nothing\nhere')).rejects.toThrow('is neither a JSON list nor one event per line')
  await expect(ingest(`[${JSON.stringify(one)},`)).rejects.toThrow('is neither a JSON list nor one event per line')
})

test('a dry run prints what would arrive and what would not, and sends nothing', async () => {
  const orders = dataset('s3', 'orders')
  const events = [
    proposal(orders, 'schemaMetadata', { fields: [{ fieldPath: 'id' }, { fieldPath: 'total' }] }),
    proposal(orders, 'upstreamLineage', {
      upstreams: [{ dataset: dataset('s3', 'raw'), type: 'COPY' }],
      fineGrainedLineages: [{ upstreams: [field(dataset('s3', 'raw'), 'id')], downstreams: [field(orders, 'id')] }],
    }),
    proposal(orders, 'ownership', { owners: [{ owner: 'urn:li:corpuser:ada' }] }),
    proposal(orders, 'globalTags', { tags: [{ tag: 'urn:li:tag:Gold' }] }),
    proposal('urn:li:mlModel:(x,churn,PROD)', 'mlModelProperties', { name: 'churn' }),
    proposal(orders, 'globalTags', [{ op: 'move', path: '/tags/a' }], 'PATCH'),
    { ...proposal(dataset('hive', 'b'), 'datasetProperties', { name: 'b' }), systemMetadata: { pipelineName: 'second' } },
    { entityUrn: 'nonsense', aspectName: 'status', aspect: { json: {} } },
  ]
  const { code, sent, printed } = await ingest(JSON.stringify(events), ['--dry-run'])
  expect([code, sent]).toEqual([0, []])
  const [first, second] = printed.split('Integration second:\n')
  for (const line of ['Integration DataHub:', 'database: 1', 'table: 2', 'column: 3', 'lineage edge: 2', 'owner: 1', 'tag: 1'])
    expect(first!.split('\n')).toContain(line)
  expect(first).toContain('Not taken over: urn:li:mlModel:(x,churn,PROD): the catalog has no place for entities of type mlModel.')
  expect(first).toContain('patch must have the operations add, replace or remove.')
  expect(first).toContain('an event of nonsense status: entityUrn must be a URN')
  expect(second).toBe('database: 1\ntable: 1\nNothing was sent.\n')
})
