import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSlackServer } from '../support/notification-servers.ts'
import { createTestApp } from '../support/test-app.ts'

const SECRET = 'a signing secret'
const PATH = '/api/v1/notification/slack/events'
const HOST = 'https://catalog.example.com'

test('a link to a resource is shown in Slack as every viewer sees it, if its sender may see it', async () => {
  await using slack = await createSlackServer()
  await using app = await createTestApp()
  await using server = await app.createInstance({
    config: { slackBotToken: 'xoxb-test', slackApiUrl: slack.url, slackSigningSecret: SECRET, publicUrl: HOST },
  })
  const team = await app.createTeam(true)
  const [editor, guest] = [await app.createUser('editor'), await app.createUser('guest')]
  await app.db.insertInto('team_members').values({ team_id: team, user_id: editor.id }).execute()
  const open = await app.createResource({
    entity_type: 'table',
    title: 'orders <!channel>',
    description: 'One row per order.',
    owners: [editor.id],
    published: true,
  })
  const restricted = await app.createResource({ entity_type: 'table', title: 'salaries', published: true, teams: [team] })
  const draft = await app.createResource({ entity_type: 'document', title: 'Secret plans', published: false })
  slack.people.set('UEDITOR', { team_id: 'T1', profile: { email: `editor-${editor.id}@example.com` } })
  slack.people.set('UGUEST', { team_id: 'T1', profile: { email: `guest-${guest.id}@example.com` } })
  slack.people.set('UNOBODY', { team_id: 'T1', profile: { email: 'nobody@example.com' } })
  slack.people.set('USTRANGER', { team_id: 'T2', profile: { email: `editor-${editor.id}@example.com` } })
  const post = (body: string, secret = SECRET) => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
    const headers = { 'content-type': 'application/json', 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature }
    return server.call('POST', PATH, { token: null, body, headers })
  }
  const share = (user: string, ...urls: string[]) =>
    post(
      JSON.stringify({
        type: 'event_callback',
        event: { type: 'link_shared', user, channel: 'C1', message_ts: '1.2', links: urls.map((url) => ({ url })) },
      }),
    )
  const url = (id: string) => `${HOST}/r/${id}?tab=columns`

  expect((await post(JSON.stringify({ type: 'url_verification', challenge: 'abc' }))).body).toEqual({ challenge: 'abc' })
  expect((await post(JSON.stringify({ type: 'url_verification', challenge: 'abc' }), 'another secret')).status).toBe(401)
  expect((await post('{')).status).toBe(400)

  expect((await share('UEDITOR', url(open.id), url(restricted.id), url(draft.id))).status).toBe(200)
  expect(slack.unfurls).toEqual([
    {
      channel: 'C1',
      ts: '1.2',
      unfurls: {
        [url(open.id)]: {
          blocks: [
            { type: 'section', text: { type: 'mrkdwn', text: `*<${url(open.id)}|orders &lt;!channel&gt;>*` } },
            { type: 'context', elements: [{ type: 'plain_text', text: 'Table · Owner: editor Person' }] },
            { type: 'section', text: { type: 'plain_text', text: 'One row per order.' } },
          ],
        },
      },
    },
  ])
  slack.unfurls.length = 0
  // A guest without teams sees nothing; the others have no account here, or are of another workspace.
  for (const user of ['UGUEST', 'UNOBODY', 'USTRANGER', 'UUNKNOWN']) expect((await share(user, url(open.id))).status).toBe(200)
  // What every viewer may not see, other sites, and pages that do not exist.
  const other = [url(restricted.id), url(draft.id), url('00000000-0000-4000-8000-000000000000'), `https://evil.example.com/r/${open.id}`]
  expect((await share('UEDITOR', ...other)).status).toBe(200)
  expect(slack.unfurls).toEqual([])
})
