import { type Static, Type } from 'typebox'
import { Id, IdInput, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'

const ANSWER_STATUSES = ['running', 'completed', 'failed', 'cancelled', 'interrupted'] as const
export type AnswerStatus = (typeof ANSWER_STATUSES)[number]

const Step = Type.Object(
  {
    tool: Type.String(),
    title: Type.String(),
    arguments: Type.Unknown({ description: 'As the model wrote them.' }),
    failed: Type.Boolean(),
    /** What was found is not stored: it may be hidden from the user later. */
    returned: Nullable(Type.Integer({ description: 'Number of items the tool returned.' })),
    total: Nullable(Type.Integer({ description: 'Number of items there are.' })),
    error: NullableString(),
  },
  { title: 'AnswerStep' },
)
export type Step = Static<typeof Step>

const Source = Type.Object(
  { id: Id(), title: Type.String(), type: NullableString() },
  { title: 'AnswerSource', description: 'A resource that the answer links to. A tool returned it while the question was answered.' },
)
export type Source = Static<typeof Source>

export const Answer = Type.Object(
  {
    id: Id(),
    conversation_id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    completed_at: NullableTimestamp,
    question: Type.String(),
    status: OneOf(ANSWER_STATUSES, '`interrupted`: the server that was answering stopped.'),
    text: Type.String({ description: 'Markdown. Its only links are `/r/<id>` of the sources. Grows while the answer is running.' }),
    error: NullableString('Why there is no answer, or only a part of it.'),
    steps: Type.Array(Step, { description: 'The tools that were called.' }),
    sources: Type.Array(Source),
    model: Type.String(),
    input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
  },
  { title: 'AssistantAnswer' },
)
export type Answer = Static<typeof Answer>

export const ConversationEntry = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    title: Type.String({ description: 'The beginning of the first question.' }),
    resource_id: NullableId('The resource it is about.'),
  },
  { title: 'AssistantConversationEntry' },
)
export type ConversationEntry = Static<typeof ConversationEntry>

export const Conversation = Type.Object(
  {
    ...ConversationEntry.properties,
    resource_title: NullableString('Null if you can no longer see the resource.'),
    answers: Type.Array(Answer),
  },
  { title: 'AssistantConversation' },
)
export type Conversation = Static<typeof Conversation>

const question = Type.String({ minLength: 1, maxLength: 8_000, pattern: '\\S' })

export const ConversationCreate = Type.Object(
  { question, resource_id: Type.Optional(Nullable(IdInput)) },
  { title: 'AssistantConversationCreate', examples: [{ question: 'Which table has our revenue by country?' }] },
)
export const QuestionCreate = Type.Object({ question }, { title: 'AssistantQuestion', examples: [{ question: 'Who owns it?' }] })

export const AssistantStatus = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether a language model is configured.' }),
    model: NullableString(),
    tokens_used: Type.Integer({ description: 'Tokens you have used today (UTC).' }),
    tokens_per_day: Type.Integer(),
    cost_used: Type.Number(),
    cost_per_day: Nullable(Type.Number()),
  },
  { title: 'AssistantStatus' },
)
export type AssistantStatus = Static<typeof AssistantStatus>
