import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, isApiError } from '../api/client.ts'
import type { Schemas } from '../api/types.ts'
import { LanguageMenu } from '../i18n/language-menu.tsx'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { HealthLabel } from '../ui/health-label.tsx'
import { useTitle } from '../ui/page.tsx'
import { EmptyState, ErrorView, Skeleton } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'

/** Images and files of a public page are below its link. */
const FILE = '/api/v1/public_link/'

/** One document or glossary term, for anyone with its public link. The code is in the fragment, which no server logs; the path is for previews. */
export const SharedPage = () => {
  const [code] = useState(() => location.hash.slice(1))
  const page = useQuery({
    queryKey: ['shared', code],
    queryFn: () => api.post<Schemas['PublicPage']>('/public_link/open', { code }),
    enabled: code !== '',
    retry: false,
  })
  useTitle(page.data?.title)
  return (
    <main className="mx-auto grid min-h-dvh max-w-3xl content-start gap-4 p-4 sm:p-8">
      {code === '' || isApiError(page.error, 'not_found') ? (
        <EmptyState title={t('This page is not available')}>
          {t('The link has expired or was revoked. Ask whoever sent it for a new one.')}
        </EmptyState>
      ) : page.error ? (
        <ErrorView error={page.error} retry={() => void page.refetch()} />
      ) : page.data ? (
        <article className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <header className="grid gap-1">
            <h1 className="text-xl font-semibold break-words" dir="auto">
              {page.data.title}
            </h1>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-faint">
              <span>{page.data.entity_type === 'glossary' ? t('Glossary term') : t('Document')}</span>
              <HealthLabel status={page.data.health} deprecated={page.data.deprecated} />
              <span>
                <Trans message="Updated {when}" when={<RelativeTime at={page.data.updated_at} />} />
              </span>
            </p>
          </header>
          {page.data.description && <Description text={page.data.description} />}
          {page.data.definition && <Markdown text={page.data.definition} />}
        </article>
      ) : (
        <Skeleton lines={6} />
      )}
      <footer className="border-t border-line pt-3">
        <LanguageMenu quiet label={t('Language')} />
      </footer>
    </main>
  )
}

/** Plain text, unless it has images or files. */
const Description = ({ text }: { text: string }) =>
  text.includes(FILE) ? (
    <Markdown text={text} />
  ) : (
    <p className="whitespace-pre-line text-soft" dir="auto">
      {text}
    </p>
  )
