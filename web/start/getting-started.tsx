import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, FlaskConical, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import { type Job, jobQuery } from '../api/job.ts'
import { queryClient } from '../api/query-client.ts'
import { useBootstrap, useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Section } from '../ui/page.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { setupStepsQuery } from './queries.ts'

const HIDDEN_STORAGE_KEY = 'tablinum.first-steps' // set in localStorage when all steps are done or the list was hidden

const STEPS = [
  {
    id: 'source',
    title: t('Connect a source'),
    what: t('Imports databases, tables, and columns.'),
    to: '/integrations/new',
    search: {},
  },
  {
    id: 'published',
    title: t('Describe and publish a table'),
    what: t('Start with the one everyone asks about. Viewers see only published resources.'),
    to: '/search',
    search: { entity_type: 'table', published: 'false' },
  },
  {
    id: 'people',
    title: t('Invite people'),
    what: t('Bring in the people who know the data.'),
    to: '/settings/$section',
    search: {},
  },
  {
    id: 'monitor',
    title: t('Create a monitor'),
    what: t('Catch problems first.'),
    to: '/monitors/new',
    search: {},
  },
] as const

/** Setup checklist for admins. Hidden when every step is done or the user dismisses it. */
export const GettingStarted = () => {
  const { empty } = useBootstrap()
  const manages = useCan('integrations.manage')
  const writes = useCan('catalog.write')
  const [hidden, setHidden] = useState(() => localStorage.getItem(HIDDEN_STORAGE_KEY) !== null)
  const hide = () => {
    localStorage.setItem(HIDDEN_STORAGE_KEY, '1')
    setHidden(true)
  }
  const { data: done } = useQuery({ ...setupStepsQuery, enabled: manages && !hidden })
  const all = done !== undefined && STEPS.every(({ id }) => done[id])
  useEffect(() => {
    if (all) localStorage.setItem(HIDDEN_STORAGE_KEY, '1')
  }, [all])
  if (!manages)
    return empty ? (
      <p className="text-center text-sm text-soft">
        {writes
          ? t('Nothing here yet. Ask an admin to connect the first source.')
          : t('Nothing is shared with you yet. An admin can publish resources or add you to a team.')}
      </p>
    ) : null
  if (!done || ((hidden || all) && !empty)) return null
  return (
    <Section title={t('Getting started')} actions={!empty && <IconButton label={t('Hide getting started')} icon={X} onClick={hide} />}>
      <ol className="grid gap-2 sm:grid-cols-2">
        {STEPS.map(({ id, title, what, to, search }, i) => (
          <li key={id} className="flex gap-3 rounded-lg border border-line p-3">
            <span
              className={cx(
                'flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold',
                done[id] ? 'bg-good-soft text-good' : 'bg-accent-soft text-accent',
              )}
            >
              {done[id] ? <Check role="img" aria-label={t('Done')} size={14} /> : i + 1}
            </span>
            <span className="min-w-0">
              <Link to={to} params={{ section: 'people' }} search={search} className="font-medium text-accent hover:underline">
                {title}
              </Link>
              <span className="block text-sm text-soft">{what}</span>
            </span>
          </li>
        ))}
      </ol>
      {empty && <DemoLoader />}
    </Section>
  )
}

/** Loads the demo data in a background job and reports when it has finished. */
const DemoLoader = () => {
  const [job, setJob] = useState<string>()
  const { data } = useQuery(jobQuery(job))
  const load = useMutation({
    mutationFn: () => api.post<Job>('/demo'),
    onSuccess: ({ id }) => setJob(id),
    onError: (error) => showErrorToast(t('Couldn’t load the demo data.'), error),
  })
  useEffect(() => {
    if (!data?.completed) return
    setJob(undefined)
    if (data.failed) showErrorToast(t('Couldn’t load the demo data.'), new Error(data.logs.trim().split('\n').at(-1)))
    else showToast(t('Demo data loaded'))
    void queryClient.invalidateQueries()
  }, [data])
  const busy = load.isPending || job !== undefined
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3 rounded-lg bg-sunken p-3 text-sm text-soft">
      <FlaskConical aria-hidden size={18} className="text-accent" />
      <span className="min-w-0 flex-1 basis-60">
        {t('Or explore demo data first: a shop’s warehouse with 60 tables, dashboards, and a glossary.')}
      </span>
      <Button busy={busy} onClick={() => load.mutate()}>
        {busy ? t('Loading demo data…') : t('Load demo data')}
      </Button>
    </div>
  )
}
