import { type Static, Type } from 'typebox'
import { Nullable, NullableTimestamp, OneOf } from '../../platform/core/schema-types.ts'

const PROVIDERS = ['openai', 'anthropic'] as const
export type Provider = (typeof PROVIDERS)[number]

const MAX_TOKENS_PER_DAY = 1_000_000_000
const MAX_PRICE = 10_000

const fields = {
  enabled: Type.Boolean({ description: 'Whether people can use the assistant.' }),
  provider: OneOf(PROVIDERS, '`openai`: chat completions, as OpenAI, Ollama, vLLM and others serve them. `anthropic`: messages.'),
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    description:
      'The base URL: requests go to `<url>/chat/completions` or `<url>/v1/messages`. Private addresses need `TABLINUM_WEBHOOK_ALLOW`.',
  }),
  model: Type.String({ maxLength: 200, description: 'The name of the model.' }),
  share_values: Type.Boolean({
    description: 'Whether the model may see rows and statistics of tables. Without it, it sees only what the catalog says about them.',
  }),
  tokens_per_day: Type.Integer({ minimum: 0, maximum: MAX_TOKENS_PER_DAY, description: 'Tokens a user may use on a day (UTC).' }),
  cost_per_day: Nullable(Type.Number({ minimum: 0, maximum: 1_000_000, description: 'What a user may cost on a day. Needs the prices.' })),
  input_price: Nullable(Type.Number({ minimum: 0, maximum: MAX_PRICE, description: 'Price of a million input tokens.' })),
  output_price: Nullable(Type.Number({ minimum: 0, maximum: MAX_PRICE, description: 'Price of a million output tokens.' })),
  timeout_seconds: Type.Integer({ minimum: 1, maximum: 600, description: 'How long to wait for the next part of a response.' }),
  retention_days: Type.Integer({
    minimum: 1,
    maximum: 3650,
    description: 'Days from the last answer of a conversation until it is deleted.',
  }),
}

export const AssistantSettings = Type.Object(
  {
    ...fields,
    has_key: Type.Boolean({ description: 'Whether an API key is stored. It is never returned.' }),
    updated_at: NullableTimestamp,
  },
  { title: 'AssistantSettings' },
)
export type AssistantSettings = Static<typeof AssistantSettings>

export const AssistantSettingsEdit = Type.Object(
  {
    ...fields,
    key: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 1000,
          description: 'The API key. Absent: the stored one is kept, unless the URL or the provider changes. Null: none is sent.',
        }),
      ),
    ),
  },
  {
    title: 'AssistantSettingsEdit',
    additionalProperties: false,
    examples: [
      {
        enabled: true,
        provider: 'openai',
        url: 'https://api.openai.com/v1',
        model: 'gpt-5-mini',
        key: 'sk-…',
        share_values: false,
        tokens_per_day: 500_000,
        cost_per_day: null,
        input_price: null,
        output_price: null,
        timeout_seconds: 60,
        retention_days: 90,
      },
    ],
  },
)
export type AssistantSettingsEdit = Static<typeof AssistantSettingsEdit>
