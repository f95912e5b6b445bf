import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { asc, desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import type { Usage } from '../models/model.ts'
import type { AssistantSettingsRow } from '../settings/settings.ts'
import type { Answer, ConversationEntry, Source, Step } from './schema.ts'

/** A running answer reports every second that it is; after this many seconds of silence its process is considered dead. */
const SILENT_SECONDS = 30
const isSilentSql = sql<boolean>`(a.status = 'running' and a.heartbeat_at < clock_timestamp() - ${SILENT_SECONDS}::int * interval '1 second')`
const INTERRUPTED = 'The server that was answering stopped. Ask again.'
export const ANSWERS_CHANNEL = 'assistant_answers'

const ANSWER_SQL = sql`a.id, a.conversation_id, a.created_at, a.updated_at, a.completed_at, a.question, a.text, a.steps, a.sources, a.model,
  a.input_tokens, a.output_tokens, case when ${isSilentSql} then 'interrupted' else a.status end as status,
  case when ${isSilentSql} then ${INTERRUPTED}::text else a.error end as error`

const ownSql = ({ actor }: Context): RawBuilder<boolean> => sql<boolean>`c.user_id = ${actor.user_id}::uuid`

export const listConversationRows = (ctx: Context, page: PageRequest) =>
  readPage<ConversationEntry>(ctx, page, {
    select: sql`c.id, c.created_at, c.updated_at, c.title, c.resource_id`,
    from: sql`assistant_conversations c`,
    where: ownSql(ctx),
    order: [desc('timestamp', 'c.updated_at'), asc('id', 'c.id')],
  })

export const findConversationRow = async (ctx: Context, id: string, lock = false): Promise<ConversationEntry | undefined> => {
  const { rows } = await sql<ConversationEntry>`
    select c.id, c.created_at, c.updated_at, c.title, c.resource_id from assistant_conversations c
    where c.id = ${id} and ${ownSql(ctx)} ${lock ? sql`for update` : sql``}`.execute(ctx.db)
  return rows[0]
}

export const findAnswerRows = async (ctx: Context, conversation_id: string): Promise<Answer[]> => {
  const { rows } = await sql<Answer>`
    select ${ANSWER_SQL} from assistant_answers a where a.conversation_id = ${conversation_id} order by a.created_at, a.id`.execute(ctx.db)
  return rows
}

export const findAnswerRow = async (ctx: Context, id: string): Promise<Answer | undefined> => {
  const { rows } = await sql<Answer>`
    select ${ANSWER_SQL} from assistant_answers a join assistant_conversations c on c.id = a.conversation_id
    where a.id = ${id} and ${ownSql(ctx)}`.execute(ctx.db)
  return rows[0]
}

export const countRunningAnswers = async (ctx: Context): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from assistant_answers a join assistant_conversations c on c.id = a.conversation_id
    where a.status = 'running' and not ${isSilentSql} and ${ownSql(ctx)}`.execute(ctx.db)
  return rows[0]!.count
}

export const insertConversation = ({ db, now }: Context, row: { id: string; user_id: string; title: string; resource_id: string | null }) =>
  db
    .insertInto('assistant_conversations')
    .values({ ...row, created_at: now, updated_at: now })
    .execute()

export const insertAnswer = async (
  { db, now }: Context,
  { provider, model }: AssistantSettingsRow,
  row: { id: string; conversation_id: string; question: string },
): Promise<void> => {
  await sql`
    insert into assistant_answers (id, conversation_id, question, status, provider, model, heartbeat_at, created_at, updated_at)
    values (${row.id}, ${row.conversation_id}, ${row.question}, 'running', ${provider}, ${model}, clock_timestamp(), ${now}, ${now})`.execute(
    db,
  )
  await sql`update assistant_conversations set updated_at = ${now}::timestamptz where id = ${row.conversation_id}`.execute(db)
}

export interface AnswerState {
  readonly text: string
  readonly steps: readonly Step[]
  readonly sources: readonly Source[]
  readonly usage: Usage
  readonly cost: number | null
}

const stateSql = ({ text, steps, sources, usage, cost }: AnswerState): RawBuilder<unknown> => sql`
  text = ${text}, steps = ${JSON.stringify(steps)}::text::jsonb, sources = ${JSON.stringify(sources)}::text::jsonb,
  input_tokens = ${usage.input_tokens}::bigint, output_tokens = ${usage.output_tokens}::bigint, cost = ${cost}::double precision,
  heartbeat_at = clock_timestamp()`

/** Saves the state of a running answer. Undefined if it was deleted or has ended; otherwise whether its user wants it to stop. */
export const saveAnswerState = async ({ db }: Context, id: string, state: AnswerState): Promise<boolean | undefined> => {
  const { rows } = await sql<{ cancel_requested: boolean }>`
    with saved as (
      update assistant_answers a set ${stateSql(state)}, updated_at = clock_timestamp() where a.id = ${id} and a.status = 'running' returning a.cancel_requested
    )
    select s.cancel_requested, pg_notify(${ANSWERS_CHANNEL}, ${id}) from saved s`.execute(db)
  return rows[0]?.cancel_requested
}

/** Ends a running answer; false if it was deleted or has ended already. */
export const endAnswer = async (
  { db }: Context,
  id: string,
  state: AnswerState,
  { status, error }: { status: string; error: string | null },
): Promise<boolean> => {
  const { rows } = await sql`
    with ended as (
      update assistant_answers a set ${stateSql(state)}, status = ${status}, error = ${error}, updated_at = clock_timestamp(),
        completed_at = clock_timestamp()
      where a.id = ${id} and a.status = 'running' returning a.id
    )
    select pg_notify(${ANSWERS_CHANNEL}, ${id}) from ended`.execute(db)
  return rows.length > 0
}

export const requestCancel = async (ctx: Context, id: string): Promise<void> => {
  await sql`
    update assistant_answers a set cancel_requested = true from assistant_conversations c
    where a.id = ${id} and c.id = a.conversation_id and ${ownSql(ctx)} and a.status = 'running'`.execute(ctx.db)
}

export const deleteConversationRow = async (ctx: Context, id: string): Promise<boolean> => {
  const { rows } = await sql`delete from assistant_conversations c where c.id = ${id} and ${ownSql(ctx)} returning c.id`.execute(ctx.db)
  return rows.length > 0
}

export interface InterruptedAnswer extends Pick<Answer, 'id' | 'steps' | 'model' | 'input_tokens' | 'output_tokens'> {
  readonly user_id: string
  readonly cost: number | null
}

/** Ends the answers whose process died. */
export const endSilentAnswers = async ({ db, now }: Context): Promise<InterruptedAnswer[]> => {
  const { rows } = await sql<InterruptedAnswer>`
    update assistant_answers a set status = 'interrupted', error = ${INTERRUPTED}, updated_at = ${now}, completed_at = ${now}
    from assistant_conversations c where c.id = a.conversation_id and ${isSilentSql}
    returning a.id, a.steps, a.model, a.input_tokens, a.output_tokens, a.cost, c.user_id`.execute(db)
  return rows
}
