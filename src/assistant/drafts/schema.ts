import { type Static, Type } from 'typebox'
import { IdInput } from '../../platform/core/schema-types.ts'

export const DraftRequest = Type.Object(
  {
    resource_id: Type.Optional({ ...IdInput, description: 'A table, or anything above tables: all tables below it.' }),
    integration_id: Type.Optional({ ...IdInput, description: 'All tables of an integration. Either this or `resource_id`.' }),
    use_model: Type.Optional(
      Type.Boolean({ default: false, description: 'Also ask the language model of the assistant. It counts towards your daily limits.' }),
    ),
  },
  { title: 'DraftRequest', examples: [{ resource_id: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f', use_model: false }] },
)
export type DraftRequest = Static<typeof DraftRequest>
