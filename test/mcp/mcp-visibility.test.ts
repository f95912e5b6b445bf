import { expect, test } from 'vitest'
import { TOOLS } from '../../src/mcp/tools/all.ts'
import {
  type Caller,
  createVisibilityFixture,
  HIDDEN_FROM,
  HIDDEN_IDS,
  normalizeNames,
  VISIBLE_IDS,
  type VisibilityFixture,
} from '../permissions/visibility-fixture.ts'

/** Calls of every tool that would show something hidden if it leaked: by word, by ID, by neighbour, by count. */
const calls = (caller: Caller): { name: string; arguments: object }[] => {
  const ids = [VISIBLE_IDS.table!, ...HIDDEN_FROM[caller].map((flavour) => HIDDEN_IDS[flavour].table!), HIDDEN_IDS.closed.query!]
  const words = ['zebra', 'orders', 'quagga', 'money', 'gold']
  const withId = TOOLS.filter(({ input }) => 'id' in input.properties && !('field' in input.properties)).map(({ name }) => name)
  return [
    ...words.flatMap((query) => [
      { name: 'search', arguments: { query } },
      { name: 'search_documentation', arguments: { query } },
      { name: 'search_data_assets', arguments: { query } },
    ]),
    ...ids.flatMap((id) => withId.map((name) => ({ name, arguments: { id } }))),
    ...ids.flatMap((id) => [
      { name: 'get_owners', arguments: { ids: [id] } },
      { name: 'get_lineage', arguments: { id, to: VISIBLE_IDS.dashboard } },
      { name: 'get_impact', arguments: { id, drop_table: true } },
      { name: 'retrieve_entity', arguments: { entity_id: id } },
      { name: 'entity_lineage', arguments: { entity_id: id } },
      { name: 'suggest_change', arguments: { id, field: 'tag', value: 'x' } },
      { name: 'ask_question', arguments: { title: 'Mine?', about: id } },
    ]),
    ...['zebra_schema.orders', 'zebro_schema.orders', 'zebro_database.zebro_schema.orders'].map((id) => ({
      name: 'get_entity',
      arguments: { id },
    })),
    ...['glossary', 'search_documentation', 'list_monitors', 'list_incidents'].map((name) => ({ name, arguments: {} })),
    { name: 'run_monitors', arguments: { monitors: [ids[1]] } },
  ]
}

const transcript = async (fixture: VisibilityFixture, caller: Caller): Promise<string[]> => {
  const lines: string[] = []
  for (const body of calls(caller))
    lines.push(`${JSON.stringify(body)}\n${await fixture.request('POST', '/api/v1/ai/mcp/tools/call/', { body })}`)
  const resources = { jsonrpc: '2.0', id: 1, method: 'resources/list', params: {} }
  lines.push(await fixture.request('POST', '/mcp', { body: resources, headers: { accept: 'application/json, text/event-stream' } }))
  return lines.map(normalizeNames())
}

/** What is hidden from a viewer is hidden from a guest, too. */
for (const caller of ['editor', 'guest'] as const satisfies Caller[])
  test(`no answer of a tool differs by a byte for this ${caller} when resources are hidden`, async () => {
    await using there = await createVisibilityFixture(caller, 'there')
    await using never = await createVisibilityFixture(caller, 'never')
    const [plain, other] = await Promise.all([transcript(never, caller), transcript(there, caller)])
    expect(other).toEqual(plain)
    expect(plain.filter((text) => text.includes('"isError":false')).length).toBeGreaterThan(20)
  })
