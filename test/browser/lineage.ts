import { randomUUID } from 'node:crypto'

/** Creates a deterministic graph of `size` tables in nine levels, with hubs and links that skip a level. Returns its start. */
export const createLargeGraph = async (app: Address, size: number): Promise<string> => {
  let seed = size
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  const stepOf = (i: number) => (i === 0 ? 0 : 1 + Math.floor((i / size) * 8))
  const steps = Map.groupBy(Array.from({ length: size }).keys(), stepOf)
  const lines: object[] = [{ databuilder_id: 'large', entity_type: 'schema', title: `large${size}` }]
  for (let i = 0; i < size; i++)
    lines.push({ databuilder_id: `t${i}`, parent_databuilder_id: 'large', entity_type: 'table', title: `Box ${i}` })
  for (const title of ['one', 'two', 'three'])
    lines.push({ databuilder_id: `t0.${title}`, parent_databuilder_id: 't0', entity_type: 'column', title })
  const createdIds = new Set<string>()
  for (let i = 1; i < size; i++)
    for (let n = random(10) < 3 ? 2 : 1; n > 0; n--) {
      const above = steps.get(Math.max(0, stepOf(i) - (random(12) === 0 ? 2 : 1)))!
      const from = random(5) === 0 ? above[0]! : above[random(above.length)]!
      if (createdIds.has(`${from}~${i}`) || from === i) continue
      createdIds.add(`${from}~${i}`)
      lines.push({ from_identifier: `t${from}`, to_identifier: `t${i}` })
    }
  const { post, integration } = await importLines(app, lines)
  const filter = JSON.stringify({
    operator: 'and',
    operands: [
      { operator: 'exact', field: 'databuilder_id', value: 't0' },
      { operator: 'exact', field: 'integration', value: integration },
    ],
  })
  return (await post(`/resource/catalog?${new URLSearchParams({ filter })}`)).results[0]!.id
}

/** Creates many tables without lineage. */
export const createTables = async (app: Address, count: number): Promise<void> => {
  const of = (i: number) => ({
    databuilder_id: `row${i}`,
    entity_type: 'table',
    title: `row_${i}`,
    description: `What row ${i} says of itself`,
  })
  await importLines(
    app,
    Array.from({ length: count }, (_, i) => of(i)),
  )
}

interface Address {
  readonly address: string
  readonly token: string
}

const importLines = async ({ address, token }: Address, lines: readonly object[]) => {
  const integration = randomUUID()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
  const post = async (path: string, body?: string) => {
    const response = await fetch(`${address}/api/v1${path}`, { method: body ? 'POST' : 'GET', headers, body })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { results: { id: string }[] }
  }
  await post(`/integration/integrations/${integration}/import_jsonl_metadata/`, lines.map((line) => JSON.stringify(line)).join('\n'))
  return { post, integration }
}
