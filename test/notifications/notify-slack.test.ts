import { expect, test } from 'vitest'
import { createSlackChannel } from '../../src/platform/channels/slack.ts'
import { createSlackServer } from '../support/notification-servers.ts'

test.for(['C0123456', 'U0123456', 'W0123456', '#alerts'])('a message to %s is found again', async (to) => {
  await using slack = await createSlackServer()
  const channel = createSlackChannel({ token: 'xoxb-test', url: slack.url })
  const message = { id: 'm1', to, subject: 'x', sections: [{ title: 'Something broke', lines: [] }] }
  const since = new Date(Date.now() - 1000)
  expect(await channel.find!(message, since)).toBeUndefined()
  const { receipt } = await channel.send(message, async () => {})
  expect(receipt).toBe(slack.posts[0]!.ts)
  expect(await channel.find!(message, since)).toBe(receipt)
  expect(await channel.find!({ ...message, thread: { key: 'k', receipt } } as typeof message, since)).toBe(receipt)
  expect(await channel.find!({ ...message, id: 'm2' }, since)).toBeUndefined()
})
