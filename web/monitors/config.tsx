import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChevronRight, Copy, Download, FileUp, Undo2 } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { buildUrl as apiAddress, isApiError } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { copyText } from '../ui/copyable-command.tsx'
import { Checkbox, Input } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { QueryView, Skeleton } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'
import { useValidity } from '../ui/use-validity.ts'
import { ConfigChanges, ConfigProblems } from './config-changes.tsx'
import { CONFIG_PATH, type ConfigResult, configQuery, saveConfig } from './queries.ts'
import { invalidateMonitors } from './use-edit.ts'

const route = getRouteApi('/monitors/config')
const YamlEditor = lazy(async () => ({ default: (await import('../editor/yaml-editor.tsx')).YamlEditor }))

/** Monitors as code: shows the current YAML, checks an edited file with a dry run and applies it. */
export const MonitorConfig = () => {
  const { file } = route.useSearch()
  const writes = useCan('monitors.write')
  const config = useQuery(configQuery(file))
  return (
    <Page
      title={t('Monitors as code')}
      about={t('Manage monitors in a YAML file you keep in version control. Applying the same file again changes nothing.')}
      above={<ConfigBreadcrumbs />}
      actions={<FileFilter file={file} />}
    >
      <QueryView of={config}>{(text) => <ConfigEditor key={file} present={text} file={file} writes={writes} />}</QueryView>
    </Page>
  )
}

const ConfigBreadcrumbs = () => (
  <nav aria-label={t('Breadcrumbs')} className="flex items-center gap-1 text-xs text-faint">
    <Link to="/monitors" className="hover:text-ink hover:underline">
      {t('Monitors')}
    </Link>
    <ChevronRight aria-hidden size={12} />
    <span>{t('As code')}</span>
  </nav>
)

const FileFilter = ({ file }: { file: string | undefined }) => {
  const navigate = useNavigate({ from: '/monitors/config' })
  const [name, setName] = useState(file ?? '')
  const { message, events } = useValidity()
  return (
    <form
      {...events}
      className="flex flex-wrap items-center gap-2 max-sm:w-full"
      onSubmit={(event) => {
        event.preventDefault()
        void navigate({ search: { file: name.trim() || undefined }, replace: true })
      }}
    >
      <Input
        small
        fit
        aria-label={t('Filter by file')}
        aria-invalid={message ? true : undefined}
        placeholder={t('All files')}
        pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button small type="submit" disabled={name.trim() === (file ?? '')}>
        {t('Filter')}
      </Button>
      {message && (
        <p role="alert" className="text-xs text-bad">
          {message}
        </p>
      )}
    </form>
  )
}

interface ConfigSubmission {
  readonly text: string
  readonly prune: boolean
  readonly dry_run: boolean
}
interface CheckedConfig extends Omit<ConfigSubmission, 'dry_run'> {
  readonly result: ConfigResult
}

const ConfigEditor = ({ present, file, writes }: { present: string; file: string | undefined; writes: boolean }) => {
  const [draft, setDraft] = useState<string>()
  const [noDelete, setKeep] = useState(false)
  const [checked, setChecked] = useState<CheckedConfig>()
  const [goTo, setGoTo] = useState<{ line: number }>()
  const text = draft ?? present
  const submit = useMutation({
    mutationFn: ({ text, ...how }: ConfigSubmission) => saveConfig(text, how),
    onSuccess: async (result, { text, prune }) => {
      setChecked({ text, prune, result })
      if (result.dry_run) return
      invalidateMonitors()
      await queryClient.invalidateQueries({ queryKey: configQuery(file).queryKey })
      setDraft((now) => (now === text ? undefined : now)) // keep text typed since the request
      showToast(t('Changes applied'))
    },
    onError: () => setChecked(undefined),
  })
  const change = (now: string) => {
    setDraft(now === present ? undefined : now)
    if (submit.error) submit.reset()
    if (now !== present && checked?.result.dry_run === false) setChecked(undefined)
  }
  const errors = isApiError(submit.error) ? submit.error.errors : undefined
  const wrong = useMemo(() => findErrorLines(errors), [errors])
  // Only the checked text can be applied; after any change it must be checked again.
  const isChecked = checked?.text === text && checked.prune === !noDelete
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={Copy} onClick={() => void copyText(text)}>
          {t('Copy')}
        </Button>
        <a href={apiAddress(CONFIG_PATH, { file })} download={`${file ?? 'monitors'}.yaml`} className={buttonClass()}>
          <Download aria-hidden size={15} /> {t('Download')}
        </a>
        {writes && (
          <>
            <label className={buttonClass('plain', false, 'cursor-pointer focus-within:outline-2')}>
              <FileUp aria-hidden size={15} /> {t('Open file')}
              <input
                type="file"
                accept=".yaml,.yml,.json,application/yaml"
                className="sr-only"
                onChange={({ target }) => {
                  void target.files?.[0]?.text().then(change)
                  target.value = ''
                }}
              />
            </label>
            {draft !== undefined && (
              <Button look="quiet" icon={Undo2} onClick={() => change(present)}>
                {t('Discard changes')}
              </Button>
            )}
            <span className="flex-1" />
            <label className="inline-flex items-center gap-2 text-sm">
              <Checkbox checked={noDelete} onChange={({ target }) => setKeep(target.checked)} /> {t('Don’t delete monitors')}
            </label>
            <Button
              look={isChecked ? 'plain' : 'primary'}
              busy={submit.isPending}
              onClick={() => submit.mutate({ text, prune: !noDelete, dry_run: true })}
            >
              {t('Check')}
            </Button>
          </>
        )}
      </div>
      {submit.error && <ConfigProblems of={submit.error} onLine={(line) => setGoTo({ line })} />}
      {checked && (isChecked || !checked.result.dry_run) && (
        <ConfigChanges
          of={checked.result}
          onLine={(line) => setGoTo({ line })}
          action={
            checked.result.dry_run && checked.result.changes.length > 0 ? (
              <Button look="primary" busy={submit.isPending} onClick={() => submit.mutate({ text, prune: !noDelete, dry_run: false })}>
                {t('Apply')}
              </Button>
            ) : undefined
          }
        />
      )}
      <Suspense fallback={<Skeleton lines={10} className="p-4" />}>
        <YamlEditor label={t('Monitors YAML')} text={text} readOnly={!writes} onChange={change} wrong={wrong} goTo={goTo} />
      </Suspense>
      {writes && (
        <p className="max-w-prose text-xs text-faint">
          {t(
            'A monitor is identified by its name and target and belongs to the last file that listed it. Removing it from that file deletes it and its measurements. Monitors created in the app or by other files are not affected.',
          )}
        </p>
      )}
    </div>
  )
}

const NO_LINES: readonly number[] = []
const findErrorLines = (errors: Readonly<Record<string, unknown>> | undefined): readonly number[] =>
  errors
    ? Object.keys(errors)
        .map((name) => Number(/^line (\d+)$/.exec(name)?.[1]))
        .filter((line) => line > 0)
    : NO_LINES
