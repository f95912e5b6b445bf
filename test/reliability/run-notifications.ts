import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { editResources } from '../../src/catalog/resources/edit.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { startTestServer, type TestServer } from '../faults/server.ts'
import { createMailServer, createWebhookReceiver, type MailServer, type WebhookReceiver } from '../support/notification-servers.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import {
  compareWithLedger,
  countDeliveries,
  countOpen,
  type Failures,
  findUnexplained,
  findWrongInboxes,
  readLedger,
  toRow,
} from './notification-ledger.ts'
import type { Row } from './report.ts'

export interface NotificationOptions {
  /** Half of them are e-mails, each to another person, the others requests to webhooks. */
  readonly notifications: number
  readonly kills: number
  readonly instances: number
}

const WEBHOOKS = 5
const BATCH = 5 // that one instance sends at the same time, to each receiver
const SUBSCRIBERS = 100 // of one table
const LOOPBACK = '127.0.0.0/8'
const FAILING_SHARE = 0.2

/** Runs instances that send, kills one after the other while they do, and compares what arrived with the ledger of deliveries. */
export const runNotifications = async (
  { notifications, kills, instances }: NotificationOptions,
  serverUrl?: string,
): Promise<{ rows: Row[]; wrong: string[] }> => {
  await using app = await createTestApp({ serverUrl, webhookAllow: [LOOPBACK] })
  await using mail = await createMailServer()
  await using receiver = await createWebhookReceiver()
  const failures = makeUnreliable(mail, receiver)
  const people = Math.ceil(notifications / 2)
  const tables = await createSubscribedTables(app, people)
  await createWebhooks(app, receiver.url)
  // Each webhook gets one event for each edit of a document; the tables concern only people.
  const documents = await createDocuments(app, Math.ceil((notifications - people) / WEBHOOKS))

  const env = {
    ...{ DATABASE_URL: app.url, TABLINUM_SECRET_KEY: 'a key for tests', TABLINUM_WEBHOOK_ALLOW: LOOPBACK },
    ...{ SMTP_URL: mail.url, SMTP_FROM: 'Tablinum <tablinum@example.com>' },
  }
  const start = () => startTestServer(env)
  const servers: TestServer[] = await Promise.all(Array.from({ length: instances }, start))
  try {
    await describe(app, [...tables, ...documents])
    const arrived = () => mail.mails.length + receiver.received.length
    const expected = people + documents.length * WEBHOOKS
    for (let i = 0; i < kills; i += 1) {
      await waitUntil(() => arrived() >= Math.min(expected - 1, ((i + 1) * expected) / (kills + 1)), app)
      await sleep(Math.random() * 50) // at a different point of the work each time
      const server = servers.shift()!
      server.signal('SIGKILL')
      await server.ended
      servers.push(await start())
    }
    await waitUntil(async () => (await countOpen(app)) === 0 && (await countDeliveries(app)) >= expected, app)
  } finally {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
  }
  const mails = Map.groupBy(mail.mails, ({ id }) => id.slice(1, -'@example.com>'.length))
  const requests = Map.groupBy(receiver.received, ({ headers }) => String(headers['webhook-id']))
  const [ofMails, ofRequests] = [await readLedger(app, 'email'), await readLedger(app, 'webhook')]
  return {
    rows: [
      toRow('e-mail', people, ofMails, mails, failures.mails, kills),
      toRow('webhook', documents.length * WEBHOOKS, ofRequests, requests, failures.requests, kills),
    ],
    wrong: [
      ...compareWithLedger('e-mail', people, ofMails, mails),
      ...compareWithLedger('webhook', documents.length * WEBHOOKS, ofRequests, requests),
      ...(await findWrongInboxes(app, people)),
      ...findUnexplained('e-mail', mails, failures.mails.lost + kills * BATCH),
      ...findUnexplained('webhook', requests, failures.requests.lost + failures.requests.rejected + kills * BATCH * WEBHOOKS),
    ],
  }
}

/** A fifth of all requests fail: rejected for now, or cut off after they arrived. */
const makeUnreliable = (mail: MailServer, receiver: WebhookReceiver): Record<'mails' | 'requests', Failures> => {
  const failures = { mails: { rejected: 0, lost: 0 }, requests: { rejected: 0, lost: 0 } }
  mail.reject = () => {
    if (Math.random() >= FAILING_SHARE) return undefined
    failures.mails.rejected += 1
    return { code: 451, text: 'Try again later.' }
  }
  mail.before = () => sleep(Math.random() * 20) // most kills hit the time before a confirmation
  receiver.before = async () => void (await sleep(Math.random() * 20))
  receiver.respond = () => {
    if (Math.random() >= FAILING_SHARE) return { status: 200 }
    if (Math.random() < 0.5) {
      failures.requests.rejected += 1
      return { status: 503 }
    }
    failures.requests.lost += 1
    return 'hang up'
  }
  return failures
}

const createSubscribedTables = async (app: TestApp, people: number): Promise<string[]> => {
  const times = { created_at: new Date(), updated_at: new Date() }
  const tables: string[] = []
  for (let left = people; left > 0; left -= SUBSCRIBERS) {
    const rows = Array.from({ length: Math.min(left, SUBSCRIBERS) }, newId).map((id) => ({
      ...{ id, email: `p-${id}@example.com`, role: 'editor' },
      ...times,
    }))
    await app.db.insertInto('users').values(rows).execute()
    const subscribers = rows.map(({ id }) => id)
    tables.push((await app.createResource({ title: `table ${left}`, entity_type: 'table', subscribers })).id)
  }
  return tables
}

const createDocuments = async (app: TestApp, n: number): Promise<string[]> => {
  const ids: string[] = []
  for (let i = 0; i < n; i += 1) ids.push((await app.createResource({ title: `document ${i}`, entity_type: 'document' })).id)
  return ids
}

const createWebhooks = async (app: TestApp, url: string): Promise<void> => {
  for (let i = 0; i < WEBHOOKS; i += 1) {
    const body = { name: `receiver ${i}`, url, events: ['document_updated'] }
    const { status, text } = await app.call('POST', '/notification/webhooks', { body })
    if (status !== 201) throw new Error(text)
  }
}

/** One change of each, a hundred in a transaction, by somebody who is not notified of it. */
const describe = async (app: TestApp, ids: readonly string[]): Promise<void> => {
  const { ctx } = await app.createUser('editor')
  for (let from = 0; from < ids.length; from += 100)
    await inTransaction({ ...ctx, now: new Date() }, (ctx) =>
      editResources(
        ctx,
        ids.slice(from, from + 100).map((id) => ({ id, data: { description: 'One row for each order.' } })),
      ),
    )
}

/** Retries are due at once: their pauses grow to hours. Leases of killed instances end by themselves, after a minute. */
const waitUntil = async (check: () => boolean | Promise<boolean>, app: TestApp): Promise<void> => {
  let progress = ''
  for (let giveUp = performance.now() + PATIENCE_MS; performance.now() < giveUp; await sleep(200)) {
    if (await check()) return
    await sql`update deliveries set due_at = now() where status = 'pending' and due_at > now()`.execute(app.db)
    const { rows } = await sql`select status, count(*) from deliveries group by 1 order by 1`.execute(app.db)
    if (JSON.stringify(rows) !== progress) giveUp = performance.now() + PATIENCE_MS
    progress = JSON.stringify(rows)
  }
  throw new Error(`Nothing is sent any more: ${progress}`)
}
