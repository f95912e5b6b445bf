import { t } from '../../i18n/messages.ts'
import { Checkbox, Field, Input } from '../../ui/field.tsx'

/** Patterns of activity types that receivers often want. */
const COMMON: readonly (readonly [pattern: string, label: string])[] = [
  ['*', t('Everything')],
  ['incident_*', t('Incidents')],
  ['monitor_*', t('Monitors')],
  ['schema_changed', t('Schema changes')],
  ['resource_*', t('Resources: created, changed, deleted')],
  ['comment_*', t('Comments')],
  ['question_*', t('Questions')],
  ['change_suggested', t('Suggested changes')],
  ['integration_*', t('Integrations')],
  ['user_*', t('People')],
]
/** The events of a webhook as text: groups by their labels, others by their type. */
export const formatEvents = (events: readonly string[]): string =>
  events.map((event) => COMMON.find(([pattern]) => pattern === event)?.[1] ?? event).join(', ')

const isCommon = (pattern: string): boolean => COMMON.some(([each]) => each === pattern)

interface WebhookEventsProps {
  readonly events: readonly string[]
  readonly error: string[] | undefined
  readonly onChange: (events: readonly string[]) => void
}

/** Chooses the events of a webhook: groups of them, and others by their type. */
export const WebhookEvents = ({ events, error, onChange }: WebhookEventsProps) => {
  const others = events.filter((each) => !isCommon(each))
  const common = events.filter(isCommon)
  return (
    <fieldset className="grid gap-2">
      <legend className="text-sm font-medium">{t('Events')}</legend>
      <div className="grid gap-x-3 gap-y-1 sm:grid-cols-2">
        {COMMON.map(([pattern, label]) => (
          <label key={pattern} className="flex min-h-6 items-center gap-2 text-sm">
            <Checkbox
              checked={common.includes(pattern)}
              onChange={({ target }) =>
                onChange(target.checked ? [...common, pattern, ...others] : [...common.filter((each) => each !== pattern), ...others])
              }
            />
            {label}
          </label>
        ))}
      </div>
      <Field
        label={t('Other activity types')}
        error={error}
        hint={t('Separated by commas, e.g. person_mentioned. tag_* is all that start with tag_.')}
      >
        {(props) => (
          <Input
            {...props}
            defaultValue={others.join(', ')}
            onChange={({ target }) => onChange([...common, ...splitTypes(target.value)])}
          />
        )}
      </Field>
    </fieldset>
  )
}

const splitTypes = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)
