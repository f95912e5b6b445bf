import { Type } from 'typebox'

/** Wire types. Events are checked one by one (parse-events.ts), so that errors name the position. */
const EXAMPLE = {
  eventType: 'COMPLETE',
  eventTime: '2026-01-02T03:04:05.678Z',
  run: { runId: '0190d3a0-5f4a-7c3e-9d2f-0a1b2c3d4e5f', facets: {} },
  job: { namespace: 'airflow', name: 'shop.load_orders', facets: {} },
  inputs: [{ namespace: 'postgres://db.example.com:5432', name: 'shop.public.raw_orders', facets: {} }],
  outputs: [{ namespace: 'postgres://db.example.com:5432', name: 'shop.public.orders', facets: {} }],
  producer: 'https://github.com/OpenLineage/OpenLineage/tree/main/client/python',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
}

export const Event = Type.Unsafe<unknown>({
  title: 'OpenLineageEvent',
  description: 'RunEvent, JobEvent or DatasetEvent, as https://openlineage.io/spec/2-0-2/OpenLineage.json defines them.',
  type: ['object', 'array'],
  examples: [EXAMPLE],
})

export const Batch = Type.Unsafe<unknown>({
  title: 'OpenLineageBatch',
  description: 'At most 1,000 events: a list, or an object with `events`.',
  type: ['object', 'array'],
  examples: [[EXAMPLE]],
})

export const EventQuery = Type.Object({
  integration: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'ID of the integration the events belong to. Default: the integration with the name of the namespace.',
    }),
  ),
})

export const Received = Type.Object(
  { received: Type.Integer({ description: 'Number of accepted events.' }) },
  { title: 'OpenLineageReceived' },
)
