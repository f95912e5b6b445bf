import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../api/client.ts'
import { useNames } from '../api/names.ts'
import { usePeopleOptions } from '../api/picker-options.ts'
import { useCan, useMe } from '../api/session.ts'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Picker } from '../ui/picker.tsx'
import { QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'

type Explanation = Schemas['NotificationExplanation']
type ChannelReason = Explanation['channels'][number]['reason']
type Rule = Explanation['rules'][number]

interface Subject {
  readonly type: 'incident' | 'activity'
  readonly id: string
}

const explanationQuery = ({ type, id }: Subject, user: string) =>
  queryOptions({
    queryKey: ['notification-explanation', type, id, user],
    queryFn: ({ signal }) => api.get<Explanation>(`/notification/explanation/${type}/${id}`, { query: { user }, signal }),
    retry: false,
  })

/** Why the user, or for admins anyone, was or was not notified of an incident or a change. */
export const NotificationExplanation = ({ of, onClose }: { of: Subject; onClose: () => void }) => {
  const me = useMe()
  const [user, setUser] = useState(me.id)
  const mayAskForOthers = useCan('notifications.manage')
  return (
    <Dialog title={t('Who was notified and why')} onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 text-sm">
        {mayAskForOthers && <PersonChoice user={user} onChoose={setUser} />}
        <QueryView of={useQuery(explanationQuery(of, user))}>{(explanation) => <ExplanationView explanation={explanation} />}</QueryView>
      </div>
    </Dialog>
  )
}

const PersonChoice = ({ user, onChoose }: { user: string; onChoose: (id: string) => void }) => {
  const [open, setOpen] = useState(false)
  const people = usePeopleOptions(open)
  const name = useNames([user])(user)?.name ?? '…'
  return (
    <Picker
      single
      label={t('Person')}
      {...people}
      chosen={[user]}
      onOpen={() => setOpen(true)}
      onToggle={onChoose}
      trigger={(props) => (
        <button type="button" {...props} className={buttonClass('plain', true, 'justify-self-start')}>
          <span className="sr-only">{t('Person')}: </span>
          {name}
        </button>
      )}
    />
  )
}

const ExplanationView = ({ explanation: { relation, inbox, channels, rules } }: { explanation: Explanation }) => (
  <>
    <dl className="grid gap-3">
      <Outcome
        title={t('Inbox')}
        tone={inbox.reason === 'notified' ? 'good' : 'neutral'}
        badge={inbox.reason === 'notified' ? t('Notified') : t('Not notified')}
      >
        {inbox.reason === 'notified' ? RELATIONS[relation] : INBOX_REASONS[inbox.reason]}
      </Outcome>
      {channels.map(({ channel, reason, at }) => (
        <Outcome key={channel} title={CHANNEL_NAMES[channel]} {...describeReason(reason)} at={at} />
      ))}
    </dl>
    {rules.length > 0 && (
      <section aria-label={t('Routing rules')} className="grid gap-3 border-t border-line pt-3">
        <h3 className="font-medium">{t('Routing rules')}</h3>
        <dl className="grid gap-3">
          {rules.map((rule) => (
            <RuleOutcome key={rule.id} rule={rule} />
          ))}
        </dl>
      </section>
    )}
  </>
)

const RuleOutcome = ({ rule: { name, result, failed, channels } }: { rule: Rule }) => (
  <Outcome title={name} tone={result === 'matched' ? 'good' : 'neutral'} badge={RULE_RESULTS[result]}>
    {failed && FAILED_CONDITIONS[failed]}
    {channels.map(({ id, name, reason, at }) => (
      <span key={id} className="flex flex-wrap items-center gap-x-2">
        <span dir="auto">{name}</span>
        <Badge tone={describeReason(reason).tone}>{describeReason(reason).badge}</Badge>
        {at && <RelativeTime at={at} />}
      </span>
    ))}
  </Outcome>
)

interface OutcomeProps {
  readonly title: string
  readonly tone: Tone
  readonly badge: string
  readonly at?: string | null
  readonly children?: ReactNode
}

const Outcome = ({ title, tone, badge, at, children }: OutcomeProps) => (
  <div className="grid gap-0.5">
    <dt className="flex flex-wrap items-center gap-2 font-medium">
      <span dir="auto">{title}</span>
      <Badge tone={tone}>{badge}</Badge>
      {at && (
        <span className="font-normal text-faint">
          <RelativeTime at={at} />
        </span>
      )}
    </dt>
    <dd className="grid gap-0.5 text-soft">{children}</dd>
  </div>
)

const CHANNEL_NAMES: Record<Explanation['channels'][number]['channel'], string> = { email: t('E-mail'), slack: t('Slack') }

const RELATIONS: Record<Explanation['relation'], string> = {
  owner: t('Owner of the resource.'),
  owner_group: t('Member of a group that owns the resource.'),
  rule: t('Named by a routing rule.'),
  subscriber: t('Subscriber of the resource.'),
  addressed: t('The event is addressed to this person.'),
  downstream: t('Owner or subscriber of something downstream.'),
  none: t('No longer an owner or subscriber of the resource or of anything downstream.'),
}

const INBOX_REASONS: Record<Exclude<Explanation['inbox']['reason'], 'notified'>, string> = {
  own_action: t('People are not notified of what they do themselves.'),
  cannot_see: t('This person can’t see the resource.'),
  no_relation: t('Neither an owner nor a subscriber of the resource or of anything downstream.'),
  kind_not_notified: t('People are not notified of this kind of change.'),
  snoozed: t('The incident was snoozed.'),
  not_processed_yet: t('Not processed yet. This takes a few seconds.'),
  not_in_inbox: t('The notification was deleted, or this person was not a recipient at that time.'),
  user_disabled: t('This account is disabled.'),
}

const REASONS: Record<ChannelReason, readonly [Tone, string]> = {
  sent: ['good', t('Sent')],
  held: ['accent', t('Held back by quiet hours')],
  waiting: ['neutral', t('Waiting for more changes')],
  retrying: ['warn', t('Being sent')],
  failed: ['bad', t('Failed')],
  uncertain: ['warn', t('Uncertain')],
  dropped: ['neutral', t('Not sent')],
  off: ['neutral', t('Turned off')],
  not_available: ['neutral', t('Not set up on this server')],
  not_notified: ['neutral', t('Not sent')],
  not_sent: ['neutral', t('Not sent')],
}
const describeReason = (reason: ChannelReason): { readonly tone: Tone; readonly badge: string } => {
  const [tone, badge] = REASONS[reason]
  return { tone, badge }
}

const RULE_RESULTS: Record<Rule['result'], string> = {
  matched: t('Matched'),
  not_matched: t('No match'),
  not_reached: t('Not reached'),
  disabled: t('Off'),
}

const FAILED_CONDITIONS: Record<NonNullable<Rule['failed']>, string> = {
  event: t('The rule is about other events.'),
  severity: t('The severity is too low.'),
  restricted: t('The resource belongs to a closed team that the rule does not name.'),
  tag: t('The resource has none of the tags.'),
  team: t('The resource belongs to none of the teams.'),
  owner: t('The resource has none of the owners.'),
  location: t('The resource is in none of the locations.'),
}
