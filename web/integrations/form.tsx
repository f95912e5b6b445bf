import { useMutation } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { isApiError } from '../api/client.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { CopyableCommand } from '../ui/copyable-command.tsx'
import { Checkbox, Field, Input } from '../ui/field.tsx'
import { showErrorToast } from '../ui/toast.tsx'
import { CredentialFields } from './credential-fields.tsx'
import { translateField } from './credential-labels.ts'
import { changesDestination, initialCredentialDraft, toCredentials } from './credentials.ts'
import { PatternPreview } from './pattern-preview.tsx'
import {
  createIntegration,
  editIntegration,
  hasPreviews,
  type Integration,
  type IntegrationTypeRecord,
  invalidateIntegration,
  listNames,
  listNewNames,
  testAndSync,
  testNewIntegration,
} from './queries.ts'
import { DEFAULT_SCHEDULE, ScheduleField } from './schedule.tsx'

interface IntegrationFormProps {
  readonly type: IntegrationTypeRecord
  /** The integration to edit; absent: a new one. */
  readonly integration?: Integration
  readonly onSaved: (integration: Integration) => void
  readonly cancel: ReactNode
}

/** Form for the name, credentials and schedule of an integration. */
export const IntegrationForm = ({ type, integration, onSaved, cancel }: IntegrationFormProps) => {
  const [name, setName] = useState(integration?.name ?? type.label)
  const [before] = useState(() => initialCredentialDraft(type.fields, integration))
  const [typed, setTyped] = useState(before)
  const [schedule, setSchedule] = useState(integration ? integration.schedule : DEFAULT_SCHEDULE)
  const [preview_enabled, setPreview] = useState(integration?.preview_enabled ?? false)
  const save = useMutation({
    mutationFn: () => {
      const credentials = toCredentials(type.fields, typed, integration && before)
      const body = {
        name,
        ...(Object.keys(credentials).length > 0 && { credentials }),
        ...(!type.pushes_only && { schedule }),
        ...(hasPreviews(type) && { preview_enabled }),
      }
      return integration ? editIntegration(integration.id, body) : createIntegration({ ...body, type: type.type })
    },
    onSuccess: async (saved) => {
      await invalidateIntegration(saved.id)
      onSaved(saved)
      if (type.connects) testAndSync(saved).catch((error) => showErrorToast(t('Couldn’t start the sync.'), error))
    },
  })
  const toUnsaved = () => ({ name: name.trim() || type.label, type: type.type, credentials: toCredentials(type.fields, typed) })
  const check = useMutation({ mutationFn: () => testNewIntegration(toUnsaved()) })
  const problem = save.error ?? check.error
  const errors = isApiError(problem) ? problem.errors : {}
  const hasFieldErrors = Object.keys(errors).length > 0
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        check.reset()
        save.mutate()
      }}
    >
      <Field label={t('Name')} error={errors.name}>
        {(props) => (
          <Input {...props} value={name} maxLength={200} required onChange={({ target }) => setName(target.value)} data-autofocus />
        )}
      </Field>
      {type.grants && (
        <details className="rounded-lg border border-line">
          <summary className="cursor-pointer px-3 py-2 text-sm font-medium">{t('Permissions the user needs in the source')}</summary>
          <div className="p-3 pt-1">
            <CopyableCommand label={t('Copy permissions')} text={type.grants} />
          </div>
        </details>
      )}
      <CredentialFields
        fields={type.fields.map((field) => translateField(type.type, field))}
        typed={typed}
        onChange={(field, value) => setTyped((now) => ({ ...now, [field]: value }))}
        kept={integration?.secrets_set ?? []}
        again={changesDestination(type.fields, typed, before)}
        errors={errors}
      />
      {type.connects && type.fields.some((field) => field.name === 'include') && (
        <PatternPreview
          list={() => (integration ? listNames(integration.id) : listNewNames(toUnsaved()))}
          saved={integration !== undefined}
          include={String(typed.include ?? '')}
          exclude={String(typed.exclude ?? '')}
          onInclude={(include) => setTyped((now) => ({ ...now, include }))}
          onExclude={(exclude) => setTyped((now) => ({ ...now, exclude }))}
        />
      )}
      {!type.pushes_only && (
        <ScheduleField
          value={schedule}
          onChange={setSchedule}
          error={errors['schedule.cron'] ?? errors.schedule ?? errors['schedule.interval_minutes']}
          timezoneError={errors['schedule.timezone']}
        />
      )}
      {hasPreviews(type) && (
        <label className="grid gap-1 text-sm">
          <span className="flex items-center gap-2 font-medium">
            <Checkbox checked={preview_enabled} onChange={({ target }) => setPreview(target.checked)} />
            {t('Allow previews of rows')}
          </span>
          <span className="text-faint">
            {t('Anyone who can see a table can preview its first rows. Columns with personal data are hidden.')}
          </span>
        </label>
      )}
      {problem && !hasFieldErrors && (
        <p role="alert" className="text-sm text-bad">
          {problem.message}
        </p>
      )}
      {check.isSuccess && (
        <p role="status" className="flex items-center gap-1.5 text-sm text-good">
          <CircleCheck aria-hidden size={15} /> {t('Connection works.')}{' '}
          <span className="min-w-0 truncate text-soft">{check.data.detail}</span>
        </p>
      )}
      <div className="flex justify-end gap-2">
        {cancel}
        {!integration && type.connects && (
          <Button
            busy={check.isPending}
            onClick={() => {
              save.reset()
              check.mutate()
            }}
          >
            {t('Test connection')}
          </Button>
        )}
        <Button type="submit" look="primary" busy={save.isPending}>
          {integration ? t('Save') : t('Add integration')}
        </Button>
      </div>
    </form>
  )
}
