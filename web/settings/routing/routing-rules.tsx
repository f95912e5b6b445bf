import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Ellipsis, Split, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useNames } from '../../api/names.ts'
import { t } from '../../i18n/messages.ts'
import { formatSeverity } from '../../monitors/severity.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Switch } from '../../ui/field.tsx'
import { Confirm } from '../../ui/form-dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { type NotificationRule, notificationChannelsQuery, notificationRulesQuery } from '../shared/queries.ts'
import { SettingsRow } from '../shared/rows.tsx'
import { SettingsList } from '../shared/settings-list.tsx'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'
import { EditRoutingRule, EVENT_LABELS } from './routing-rule-form.tsx'

const RULES_PATH = '/notification/rules'

/** Ordered rules that send alerts to channels. */
export const RoutingRules = () => {
  const rules = useQuery({ ...notificationRulesQuery, select: ({ results }) => results })
  return (
    <section aria-label={t('Routing rules')} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <SettingsList
        title={t('Routing rules')}
        about={t('Rules send alerts to channels, in addition to owners and subscribers. The first rule that matches decides.')}
        add={t('New rule')}
        of={rules}
        empty={
          <EmptyState icon={Split} title={t('No rules yet')}>
            {t('Alerts go to owners, subscribers and the Slack channels of monitors.')}
          </EmptyState>
        }
        row={(rule) => <RuleRow rule={rule} last={rule.position === rules.data?.length} />}
        form={(close) => <EditRoutingRule onClose={close} />}
      />
    </section>
  )
}

const RuleRow = ({ rule, last }: { rule: NotificationRule; last: boolean }) => {
  const { id, name, enabled, position, continues } = rule
  const [over, setOver] = useState<'edit' | 'delete'>()
  const close = () => setOver(undefined)
  const staleKeys = ['notification-rules']
  const edit = useSettingsMutation<unknown, Partial<NotificationRule>>({
    perform: (change) => api.patch(`${RULES_PATH}/${id}`, change),
    staleKeys,
    failed: t('Not saved.'),
  })
  const remove = useSettingsMutation({
    perform: () => api.delete(`${RULES_PATH}/${id}`),
    staleKeys,
    done: t('{name} deleted', { name }),
  })
  return (
    <SettingsRow
      title={
        <>
          <span className="text-faint tabular-nums">{position}</span>
          <span className="truncate" dir="auto">
            {name}
          </span>
          {!enabled && <Badge>{t('Off')}</Badge>}
          {continues && <Badge>{t('Continues')}</Badge>}
        </>
      }
      about={<RuleSummary rule={rule} />}
      actions={
        <>
          <IconButton
            label={t('Move {name} up', { name })}
            icon={ArrowUp}
            disabled={position === 1 || edit.isPending}
            onClick={() => edit.mutate({ position: position - 1 })}
          />
          <IconButton
            label={t('Move {name} down', { name })}
            icon={ArrowDown}
            disabled={last || edit.isPending}
            onClick={() => edit.mutate({ position: position + 1 })}
          />
          <Switch
            label={t('Enable {name}', { name })}
            checked={enabled}
            disabled={edit.isPending}
            onChange={(on) => edit.mutate({ enabled: on })}
          />
          <Button small look="quiet" onClick={() => setOver('edit')}>
            {t('Edit')}
          </Button>
          <Menu
            label={t('More for {name}', { name })}
            align="end"
            items={[{ label: t('Delete'), icon: Trash2, danger: true, onSelect: () => setOver('delete') }]}
            trigger={(props) => <IconButton {...props} label={t('More for {name}', { name })} icon={Ellipsis} />}
          />
        </>
      }
    >
      {over === 'edit' && <EditRoutingRule rule={rule} onClose={close} />}
      {over === 'delete' && (
        <Confirm title={t('Delete {name}?', { name })} action={t('Delete')} onClose={close} write={remove}>
          {t('Alerts that no other rule sends to its channels will no longer arrive there.')}
        </Confirm>
      )}
    </SettingsRow>
  )
}

/** The conditions and channels of a rule in one line. */
const RuleSummary = ({ rule }: { rule: NotificationRule }) => {
  const { events, min_severity, tags, teams, owners, below, channels, recipients } = rule
  const nameOf = useNames([...tags, ...teams, ...owners, ...below, ...recipients])
  const { data } = useQuery(notificationChannelsQuery)
  const names = (ids: readonly string[]) => ids.map((id) => nameOf(id)?.name ?? '…').join(', ')
  const conditions = [
    events.map((event) => EVENT_LABELS[event]).join(', '),
    min_severity && t('severity at least {severity}', { severity: formatSeverity(min_severity) }),
    tags.length > 0 && t('tag: {names}', { names: names(tags) }),
    teams.length > 0 && t('team: {names}', { names: names(teams) }),
    owners.length > 0 && t('owner: {names}', { names: names(owners) }),
    below.length > 0 && t('in: {names}', { names: names(below) }),
  ].filter(Boolean)
  const to = [
    ...channels.map((id) => data?.results.find((each) => each.id === id)?.name ?? '…'),
    ...recipients.map((id) => nameOf(id)?.name ?? '…'),
  ].join(', ')
  return `${conditions.join(' · ')} → ${to || t('no channel')}`
}
