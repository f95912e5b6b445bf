import { useMutation } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api, isApiError } from '../../api/client.ts'
import { showServerText } from '../../api/server-text.ts'
import type { Schemas } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Confirm } from '../../ui/form-dialog.tsx'
import { SERVER_SETTINGS_KEY, SERVER_SETTINGS_PATH, type ServerSettings } from '../shared/queries.ts'
import { SettingsRow } from '../shared/rows.tsx'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'

type Service = keyof ServerSettings
type Errors = Record<string, string[]>

interface ServiceFormProps {
  readonly service: Service
  readonly title: string
  readonly about: ReactNode
  readonly settings: Pick<ServerSettings[Service], 'source' | 'problem'>
  /** What the form would save. */
  readonly edit: object
  /** More for the test. */
  readonly test?: object
  readonly testLabel: string
  /** The variables of the environment that set it. */
  readonly variables: string
  readonly onSaved: () => void
  /** Fields that are not saved, below the others. */
  readonly below?: (errors: Errors) => ReactNode
  readonly children: (errors: Errors) => ReactNode
}

const STALE_KEYS = [SERVER_SETTINGS_KEY, 'bootstrap', 'setup', 'notification-settings', 'notification-channels']

/** Settings of a service: what is entered can be tested before it is saved. What the environment sets can only be tested. */
export const ServiceForm = ({
  service,
  title,
  about,
  settings,
  edit,
  testLabel,
  variables,
  onSaved,
  below,
  children,
  ...more
}: ServiceFormProps) => {
  const { source, problem } = settings
  const readOnly = source === 'environment'
  const [open, setOpen] = useState(problem !== null)
  const [removing, setRemoving] = useState(false)
  const path = `${SERVER_SETTINGS_PATH}/${service}`
  const test = useMutation({
    mutationFn: () => api.post<Schemas['ServerSettingsTest']>(`${path}/test`, { ...(!readOnly && { settings: edit }), ...more.test }),
  })
  const save = useSettingsMutation({
    perform: () => api.put<ServerSettings>(path, edit),
    staleKeys: STALE_KEYS,
    done: t('Saved'),
    onSuccess: onSaved,
  })
  const remove = useSettingsMutation({
    perform: () => api.delete(path),
    staleKeys: STALE_KEYS,
    done: t('Settings removed'),
    onSuccess: () => setRemoving(false),
  })
  const error = save.error ?? test.error
  const errors = isApiError(error) ? toFieldErrors(error.errors) : {}
  return (
    <SettingsRow
      title={
        <>
          {title} <SourceBadge source={source} />
        </>
      }
      actions={
        <Button small look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('Close') : readOnly ? t('Show') : source === 'none' ? t('Set up') : t('Edit')}
        </Button>
      }
    >
      <p className="text-sm text-soft">{about}</p>
      {problem !== null && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
      {open && (
        <form
          aria-label={title}
          className="grid gap-3 py-2"
          onSubmit={(event) => {
            event.preventDefault()
            test.reset()
            if (!readOnly) save.mutate()
          }}
        >
          {readOnly && (
            <p className="text-sm text-faint">{t('Set with {variables} on the server. It cannot be changed here.', { variables })}</p>
          )}
          <fieldset disabled={readOnly} className="grid gap-3">
            {children(errors)}
          </fieldset>
          {below?.(errors)}
          {error && Object.keys(errors).length === 0 && (
            <p role="alert" className="text-sm text-bad">
              {error.message}
            </p>
          )}
          {test.data && <TestResult {...test.data} />}
          <div className="flex flex-wrap gap-2">
            {!readOnly && (
              <Button type="submit" look="primary" busy={save.isPending}>
                {t('Save')}
              </Button>
            )}
            <Button
              busy={test.isPending}
              onClick={({ currentTarget }) => {
                if (!readOnly && !currentTarget.form!.reportValidity()) return
                save.reset()
                test.mutate()
              }}
            >
              {testLabel}
            </Button>
            {source === 'stored' && (
              <Button look="quiet" className="ms-auto" onClick={() => setRemoving(true)}>
                {t('Remove')}
              </Button>
            )}
          </div>
        </form>
      )}
      {removing && (
        <Confirm
          title={t('Remove the settings of {service}?', { service: title })}
          action={t('Remove')}
          onClose={() => setRemoving(false)}
          write={remove}
        >
          {t('Its secret is deleted.')}
        </Confirm>
      )}
    </SettingsRow>
  )
}

const SourceBadge = ({ source }: { source: ServerSettings[Service]['source'] }) =>
  source === 'none' ? <Badge>{t('Not set')}</Badge> : <Badge tone="good">{t('On')}</Badge>

/** Errors of a test name the fields of the settings inside its body. */
const toFieldErrors = (errors: Errors): Errors =>
  Object.fromEntries(Object.entries(errors).map(([field, texts]) => [field.replace(/^settings\./, ''), texts]))

const TestResult = ({ ok, message, translatable }: Schemas['ServerSettingsTest']) => {
  const Icon = ok ? CircleCheck : CircleX
  return (
    <p role="status" className={cx('flex items-start gap-1.5 text-sm', ok ? 'text-good' : 'text-bad')}>
      <Icon aria-hidden size={15} className="mt-0.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{showServerText(message, translatable)}</span>
    </p>
  )
}
