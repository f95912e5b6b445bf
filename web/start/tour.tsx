import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { bootstrapQuery, useMe } from '../api/session.ts'
import type { ResourceBrief } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { showErrorToast } from '../ui/toast.tsx'

/** Three steps for somebody who is new. Finished or skipped, it is not shown again. */
export const Tour = ({ example }: { example: ResourceBrief | undefined }) => {
  const [at, setAt] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const end = useMutation({
    mutationFn: () => api.put('/ui/tour'),
    onSuccess: () => queryClient.setQueryData(bootstrapQuery.queryKey, (before) => before && { ...before, tour: false }),
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
  const { permissions } = useMe()
  const steps: readonly (readonly [title: string, content: ReactNode])[] = [
    [t('Find data'), <FindStep key="find" />],
    [t('See whether you can rely on it'), <RelyStep key="rely" example={example} />],
    [t('Stay informed'), <FollowStep key="follow" asks={permissions.includes('questions.ask')} />],
  ]
  const [title, content] = steps[at]!
  const isLast = at === steps.length - 1
  const go = (to: number) => {
    setAt(to)
    heading.current?.focus()
  }
  return (
    <section aria-label={t('Tour')} className="rounded-lg border border-line bg-raised p-4">
      <div className="flex items-baseline gap-3">
        <h2 ref={heading} tabIndex={-1} className="flex-1 font-semibold outline-none">
          {title}
        </h2>
        <span className="text-xs text-faint">{t('{at} of {all}', { at: at + 1, all: steps.length })}</span>
      </div>
      <div className="mt-1 grid gap-3 text-sm text-soft">{content}</div>
      <div className="mt-4 flex items-center gap-2">
        {!isLast && (
          <Button small look="quiet" busy={end.isPending} onClick={() => end.mutate()}>
            {t('Skip tour')}
          </Button>
        )}
        <span className="ms-auto flex gap-2">
          {at > 0 && (
            <Button small onClick={() => go(at - 1)}>
              {t('Back')}
            </Button>
          )}
          <Button small look="primary" busy={end.isPending} onClick={() => (isLast ? end.mutate() : go(at + 1))}>
            {isLast ? t('Done') : t('Next')}
          </Button>
        </span>
      </div>
    </section>
  )
}

const SEARCHES: readonly (readonly [query: string, label: string])[] = [
  ['type:table is:verified', t('Verified tables')],
  ['type:dashboard', t('Dashboards')],
  ['owner:me', t('What I own')],
]

const FindStep = () => (
  <>
    <p>
      <Trans
        message="Search by name, description, column, tag or owner. {keys} opens search and every command from anywhere."
        keys={<Kbd keys="mod+k" />}
      />
    </p>
    <p className="flex flex-wrap items-center gap-2">
      {t('Try one:')}
      {SEARCHES.map(([q, label]) => (
        <Link key={q} to="/search" search={{ q }} className={buttonClass('plain', true)}>
          {label} <code className="font-mono text-xs text-faint max-sm:hidden">{q}</code>
        </Link>
      ))}
    </p>
  </>
)

const RelyStep = ({ example }: { example: ResourceBrief | undefined }) => (
  <>
    <p>{t('Each page shows who owns the data, whether it is verified, whether it is healthy, and what it is made from.')}</p>
    {example && (
      <p>
        <Trans
          message="The most used one here is {resource}."
          resource={
            <Link to="/r/$id" params={{ id: example.id }} className="text-accent underline" dir="auto">
              {example.title}
            </Link>
          }
        />
      </p>
    )}
  </>
)

const FollowStep = ({ asks }: { asks: boolean }) => (
  <p>
    {t('Subscribe to what you use: changes and incidents then reach you in your inbox.')}{' '}
    {asks && t('If something is unclear, ask on its page. The owners are notified.')}
  </p>
)
