import { findHealth } from '../../catalog/listing/health.ts'
import type { Resource } from '../../catalog/records/schema.ts'
import { escapeSlackText } from '../../platform/channels/escape-slack-text.ts'
import { callSlack, type SlackApi } from '../../platform/channels/slack-api.ts'
import type { Context } from '../../platform/context/context.ts'
import { findNames } from '../pages/names.ts'
import { describeHealth, describeType, shortenText } from '../sharing/preview-text.ts'
import { findResource, getContextOfAnyViewer, parseResourcePath } from '../sharing/seen-by-everyone.ts'
import { findSlackUser } from './slack-user.ts'

/** Somebody sent links to this server, as Slack reports it. */
export interface SharedLinks {
  readonly user?: string
  readonly channel?: string
  readonly message_ts?: string
  readonly unfurl_id?: string
  readonly source?: string
  readonly links?: readonly { readonly url?: string }[]
}

const MAX_LINKS = 10

/**
 * Shows what links to resources lead to. All members of the channel see it, so it is what every viewer of the catalog may see, and only if the
 * sender may see it, too.
 */
export const unfurlLinks = async (ctx: Context, shared: SharedLinks, slack: SlackApi, publicUrl: string): Promise<void> => {
  const { user, channel, message_ts, unfurl_id, source, links = [] } = shared
  const linked = links.slice(0, MAX_LINKS).flatMap(({ url = '' }) => {
    const id = findLinkedId(url, publicUrl)
    return id ? [{ url, id }] : []
  })
  if (linked.length === 0 || !user) return
  const sender = await findSlackUser(ctx, slack, user)
  if (!sender) return
  const everyone = await getContextOfAnyViewer(ctx)
  const unfurls: Record<string, object> = {}
  for (const { url, id } of linked) {
    const resource = (await findResource({ ...ctx, actor: sender.actor }, id)) && (await findResource(everyone, id))
    if (resource) unfurls[url] = await renderPreview(everyone, resource, url)
  }
  if (Object.keys(unfurls).length === 0) return
  // A message that is still being written has no channel yet.
  const target = unfurl_id && source ? { unfurl_id, source } : { channel, ts: message_ts }
  await callSlack(slack, 'chat.unfurl', { ...target, unfurls })
}

const findLinkedId = (url: string, publicUrl: string): string | undefined => {
  const [address, own] = [URL.parse(url), URL.parse(publicUrl)]
  if (!address || !own || address.origin !== own.origin) return undefined
  return parseResourcePath(address.pathname)
}

const renderPreview = async (ctx: Context, resource: Resource, url: string): Promise<object> => {
  const owners = [...(resource.owners ?? []), ...(resource.owners_groups ?? [])]
  const names = await findNames(ctx, owners, owners)
  // A person without a name is shown by their e-mail address, which is not for a channel.
  const owner = owners.flatMap((id) => names[id]?.name.split('@')[0] ?? []).join(', ')
  const health = (await findHealth(ctx, [resource.id])).get(resource.id) ?? 'unknown'
  const facts = [
    describeType(resource.entity_type),
    describeHealth({ health, deprecated: Boolean(resource.deprecation) }),
    owner === '' ? 'No owner' : `Owner: ${owner}`,
  ]
  const title = resource.title.replace(/\s+/g, ' ').trim() || 'Untitled'
  return {
    blocks: [
      {
        type: 'section',
        text: { type: 'mrkdwn', text: `*<${escapeSlackText(url)}|${escapeSlackText(shortenText(title)).replaceAll('|', '¦')}>*` },
      },
      { type: 'context', elements: [{ type: 'plain_text', text: shortenText(facts.filter((fact) => fact !== undefined).join(' · ')) }] },
      ...(resource.description ? [{ type: 'section', text: { type: 'plain_text', text: shortenText(resource.description) } }] : []),
    ],
  }
}
