import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useNames } from '../../api/names.ts'
import { type PickerOptions, useOwnerOptions, useTagOptions, useTeamOptions } from '../../api/picker-options.ts'
import { t } from '../../i18n/messages.ts'
import { SEVERITY_NAMES, SeverityBadge } from '../../monitors/severity.tsx'
import { useResourceOptions } from '../../search/use-resource-options.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Checkbox, Field, Input, Select } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Picker } from '../../ui/picker.tsx'
import { RowLink } from '../../ui/row-link.tsx'
import { QueryView } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { type NotificationRule, notificationChannelsQuery, type RulePreview } from '../shared/queries.ts'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'

type RuleDraft = Omit<NotificationRule, 'id' | 'created_at' | 'updated_at' | 'position'>
type ListField = 'tags' | 'teams' | 'owners' | 'below' | 'recipients'

export const EVENT_LABELS: Record<NotificationRule['events'][number], string> = {
  incident: t('Incidents'),
  schema_changed: t('Schema changes'),
}

const NEW_RULE: RuleDraft = {
  ...{ name: '', enabled: true, events: ['incident'], min_severity: null, include_restricted: false, continues: false },
  ...{ tags: [], teams: [], owners: [], below: [], channels: [], recipients: [] },
}

const toggle = <T,>(list: readonly T[], item: T): T[] => (list.includes(item) ? list.filter((each) => each !== item) : [...list, item])

/** Form for a routing rule, with the recent incidents it would have matched. */
export const EditRoutingRule = ({ rule, onClose }: { rule?: NotificationRule; onClose: () => void }) => {
  const [draft, setDraft] = useState<RuleDraft>(rule ?? NEW_RULE)
  const change = (edit: Partial<RuleDraft>) => setDraft({ ...draft, ...edit })
  const { name, enabled, events, min_severity, include_restricted, continues, tags, teams, owners, below, channels, recipients } = draft
  const conditions = { events, min_severity, include_restricted, tags, teams, owners, below }
  const write = useSettingsMutation({
    perform: () => {
      const body = { name, enabled, ...conditions, channels, recipients, continues }
      return rule ? api.patch(`/notification/rules/${rule.id}`, body) : api.post('/notification/rules', body)
    },
    staleKeys: ['notification-rules'],
    onSuccess: onClose,
  })
  const allChannels = useQuery(notificationChannelsQuery).data?.results ?? []
  const ids = { chosen: draft, onToggle: (field: ListField, id: string) => change({ [field]: toggle(draft[field], id) }) }
  return (
    <FormDialog
      title={rule ? t('Edit {name}', { name: rule.name }) : t('New rule')}
      submit={rule ? t('Save') : t('Create rule')}
      onClose={onClose}
      write={write}
    >
      {(errors) => (
        <>
          <Field label={t('Name')} error={errors.name}>
            {(props) => (
              <Input
                {...props}
                required
                data-autofocus
                maxLength={200}
                value={name}
                onChange={({ target }) => change({ name: target.value })}
              />
            )}
          </Field>
          <fieldset className="grid">
            <legend className="mb-1 text-sm font-medium">{t('Events')}</legend>
            {Object.entries(EVENT_LABELS).map(([event, label]) => (
              <CheckboxRow
                key={event}
                label={label}
                checked={events.includes(event as RuleDraft['events'][number])}
                onChange={() => change({ events: toggle(events, event as RuleDraft['events'][number]) })}
              />
            ))}
            {errors.events && <p className="text-xs text-bad first-letter:uppercase">{errors.events.join(' ')}</p>}
          </fieldset>
          <Field label={t('Severity at least')} hint={t('Schema changes have no severity.')} error={errors.min_severity}>
            {(props) => (
              <Select
                {...props}
                value={min_severity ?? ''}
                onChange={({ target }) => change({ min_severity: (target.value || null) as RuleDraft['min_severity'] })}
              >
                <option value="">{t('Any')}</option>
                {Object.entries(SEVERITY_NAMES).map(([severity, label]) => (
                  <option key={severity} value={severity}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2">
            <TagsField {...ids} />
            <TeamsField {...ids} />
            <OwnersField {...ids} />
            <LocationField {...ids} />
          </div>
          <CheckboxRow
            label={t('Also resources of closed teams that are not named above')}
            checked={include_restricted}
            onChange={() => change({ include_restricted: !include_restricted })}
          />
          <Field
            label={t('Send to')}
            error={errors.channels}
            hint={t('Without a channel, matching alerts go to no channel of the following rules either, unless this rule continues.')}
          >
            {(props) => (
              <Chooser
                {...props}
                label={t('Send to')}
                options={allChannels.map((each) => ({ id: each.id, label: each.name }))}
                chosen={channels}
                nameOf={(id) => allChannels.find((each) => each.id === id)?.name}
                empty={t('No channel')}
                onToggle={(id) => change({ channels: toggle(channels, id) })}
              />
            )}
          </Field>
          <RecipientsField {...ids} />
          <CheckboxRow
            label={t('Continue with the following rules')}
            checked={continues}
            onChange={() => change({ continues: !continues })}
          />
          <MatchPreview conditions={conditions} />
        </>
      )}
    </FormDialog>
  )
}

const CheckboxRow = ({ label, checked, onChange }: { label: string; checked: boolean; onChange: () => void }) => (
  <label className="flex min-h-7 items-center gap-2 text-sm">
    <Checkbox checked={checked} onChange={onChange} />
    {label}
  </label>
)

interface ListFieldProps {
  readonly chosen: RuleDraft
  readonly onToggle: (field: ListField, id: string) => void
}

const TagsField = (props: ListFieldProps) => <IdsField {...props} field="tags" label={t('Tags')} {...useTagOptions()} />
const TeamsField = (props: ListFieldProps) => <IdsField {...props} field="teams" label={t('Teams')} {...useTeamOptions()} />
const OwnersField = (props: ListFieldProps) => {
  const [open, setOpen] = useState(false)
  return <IdsField {...props} field="owners" label={t('Owners')} {...useOwnerOptions(open)} onOpen={() => setOpen(true)} />
}
const RecipientsField = (props: ListFieldProps) => {
  const [open, setOpen] = useState(false)
  const [people, teams] = [useOwnerOptions(open), useTeamOptions()]
  return (
    <IdsField
      {...props}
      field="recipients"
      label={t('Notify people and teams')}
      hint={t('In their inbox, and by e-mail and Slack as they have set.')}
      empty={t('Nobody else')}
      options={[...teams.options.map((team) => ({ ...team, hint: t('Team') })), ...people.options]}
      onSearch={(typed) => {
        teams.onSearch(typed)
        people.onSearch(typed)
      }}
      onOpen={() => setOpen(true)}
    />
  )
}
const LocationField = (props: ListFieldProps) => (
  <IdsField {...props} {...useResourceOptions()} field="below" label={t('Database, schema or table')} />
)

interface IdsFieldProps extends ListFieldProps, PickerOptions {
  readonly field: ListField
  readonly label: string
  readonly hint?: string
  readonly empty?: string
  readonly onOpen?: () => void
}

const IdsField = ({ chosen, field, label, hint, empty = t('Any'), onToggle, ...options }: IdsFieldProps) => {
  const ids = chosen[field]
  const nameOf = useNames(ids)
  return (
    <Field label={label} {...(hint && { hint })}>
      {(props) => (
        <Chooser
          {...props}
          {...options}
          label={label}
          chosen={ids}
          nameOf={(id) => nameOf(id)?.name}
          empty={empty}
          onToggle={(id) => onToggle(field, id)}
        />
      )}
    </Field>
  )
}

interface ChooserProps extends Partial<Omit<PickerOptions, 'options'>>, Pick<PickerOptions, 'options'> {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly label: string
  readonly chosen: readonly string[]
  readonly nameOf: (id: string) => string | undefined
  readonly empty: string
  readonly onOpen?: () => void
  readonly onToggle: (id: string) => void
}

const Chooser = ({ id, 'aria-describedby': described, nameOf, empty, ...picker }: ChooserProps) => (
  <Picker
    {...picker}
    trigger={(props) => (
      <button type="button" {...props} id={id} aria-describedby={described} className={buttonClass('plain', false, 'w-full')}>
        <span className="min-w-0 flex-1 truncate text-start" dir="auto">
          {picker.chosen.length === 0 ? empty : picker.chosen.map((each) => nameOf(each) ?? '…').join(', ')}
        </span>
        <ChevronDown aria-hidden size={15} className="shrink-0" />
      </button>
    )}
  />
)

const previewQuery = (conditions: Partial<RuleDraft>) =>
  queryOptions({
    queryKey: ['notification-rule-preview', conditions],
    queryFn: ({ signal }) => api.post<RulePreview>('/notification/rules/preview', conditions, { signal }),
    placeholderData: keepPreviousData,
  })

/** Which of the last incidents meet the conditions. */
const MatchPreview = ({ conditions }: { conditions: Partial<RuleDraft> }) => {
  const preview = useQuery({ ...previewQuery(conditions), enabled: conditions.events?.includes('incident') ?? false })
  return (
    <section aria-label={t('Preview')} className="grid gap-1 border-t border-line pt-3 text-sm">
      <h3 className="font-medium">{t('Preview')}</h3>
      {!preview.isEnabled ? (
        <p className="text-soft">{t('Only incidents are previewed.')}</p>
      ) : (
        <QueryView of={preview}>
          {({ checked, matched }) => (
            <>
              <p role="status" className="text-soft">
                {checked === 0
                  ? t('There have been no incidents yet.')
                  : t('Matches {n} of the last {total} incidents.', { n: matched.length, total: checked })}
              </p>
              <ul className="max-h-40 divide-y divide-line overflow-auto">
                {matched.map(({ incident, name, resource_title, severity, opened_at }) => (
                  <li key={`${incident} ${opened_at}`} className="flex items-center gap-2 py-1">
                    <RowLink href={`/incidents/${incident}`} className="min-w-0 flex-1 truncate hover:underline" dir="auto">
                      {resource_title}, {name}
                    </RowLink>
                    <SeverityBadge of={severity} />
                    {opened_at && (
                      <span className="text-xs text-faint">
                        <RelativeTime at={opened_at} />
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )}
        </QueryView>
      )}
    </section>
  )
}
