import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { BookOpen, Plus, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useCan } from '../api/session.ts'
import type { Resource } from '../api/types.ts'
import { useThrottled } from '../api/use-throttled.ts'
import { useCommand } from '../commands/use-command.ts'
import { DocumentPane } from '../documents/document-pane.tsx'
import { NewDocumentDialog } from '../documents/new-document.tsx'
import { documentListQuery } from '../documents/queries.ts'
import type { GlossarySearch } from '../documents/search-params.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Input } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorView, Skeleton } from '../ui/states.tsx'

const route = getRouteApi('/glossary')

/** Glossary terms, from A to Z. */
export const Glossary = () => {
  const address = route.useSearch()
  const navigate = useNavigate({ from: '/glossary' })
  const writes = useCan('catalog.write')
  const [creating, setCreating] = useState(false)
  const go = (search: GlossarySearch) => void navigate({ search })
  useCommand('glossary.new', () => setCreating(true), writes)
  return (
    <Page
      title={t('Glossary')}
      about={t('Shared definitions for business terms.')}
      actions={
        writes && (
          <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
            {t('New term')}
          </Button>
        )
      }
    >
      <div className={cx('grid grid-cols-[minmax(0,1fr)] items-start gap-6', address.term && 'lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]')}>
        <TermList address={address} onWords={(q) => void navigate({ search: { ...address, q }, replace: true })} />
        {address.term && (
          <div className="rounded-lg border border-line bg-raised p-4 max-lg:order-first max-lg:min-h-112 lg:sticky lg:top-0">
            <DocumentPane
              id={address.term}
              heading="h2"
              editing={address.edit !== undefined}
              onEdit={(on) => go({ ...address, edit: on ? '1' : undefined })}
              actions={<IconButton label={t('Close')} icon={X} onClick={() => go({ q: address.q })} />}
            />
          </div>
        )}
      </div>
      {creating && (
        <NewDocumentDialog
          entity_type="glossary"
          onClose={() => setCreating(false)}
          onCreated={({ id }) => {
            setCreating(false)
            go({ term: id, edit: '1' })
          }}
        />
      )}
    </Page>
  )
}

/** The letter a term is listed under; `#` if it does not start with one. */
const getLetter = (title: string): string => {
  const first = [...title.trim().normalize('NFD')][0]?.toLocaleUpperCase() ?? ''
  return /\p{L}/u.test(first) ? first : '#'
}

const MAX_INDENT = 4

type ListedTerm = Resource & { readonly depth: number }

/** Terms by letter, each followed by its narrower terms. One whose broader term is not loaded stands for itself. */
const groupByLetter = (terms: readonly Resource[]): [string, ListedTerm[]][] => {
  const loaded = new Set(terms.map(({ id }) => id))
  const byParent = Map.groupBy(terms, ({ parent }) => (parent && loaded.has(parent) ? parent : null))
  const withNarrower = (term: Resource, depth: number): ListedTerm[] => [
    { ...term, depth },
    ...(byParent.get(term.id) ?? []).flatMap((each) => withNarrower(each, depth + 1)),
  ]
  return [...Map.groupBy(byParent.get(null) ?? [], ({ title }) => getLetter(title))]
    .map(([letter, top]): [string, ListedTerm[]] => [letter, top.flatMap((term) => withNarrower(term, 0))])
    .sort(([a], [b]) => a.localeCompare(b))
}

const TermList = ({ address, onWords }: { address: GlossarySearch; onWords: (q: string | undefined) => void }) => {
  const { q = '' } = address
  const [query, setQuery] = useState(q)
  const settled = useThrottled(query.trim())
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing changes the URL
  useEffect(() => {
    if (settled !== q) onWords(settled || undefined)
  }, [settled])
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    documentListQuery({ entity_type: 'glossary', query: q }),
  )
  if (error && !data) return <ErrorView error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  const { count } = data.pages[0]!
  const letters = groupByLetter(data.pages.flatMap(({ results }) => results))
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <search className="flex flex-wrap items-center gap-3">
        <Input
          type="search"
          aria-label={t('Find a term')}
          placeholder={t('Find a term')}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          className="md:max-w-64"
        />
        <span className="text-sm text-soft" aria-live="polite">
          {pluralize(count, 'term')}
        </span>
      </search>
      {count === 0 && (
        <EmptyState icon={BookOpen} title={q ? t('No terms found') : t('No terms yet')}>
          {q ? t('Try a different search.') : t('Start with the term your team asks about most.')}
        </EmptyState>
      )}
      {letters.length > 1 && (
        <nav aria-label={t('Jump to letter')} className="flex flex-wrap gap-0.5">
          {letters.map(([letter]) => (
            <button
              key={letter}
              type="button"
              onClick={() => document.getElementById(`letter-${letter}`)?.scrollIntoView({ block: 'start' })}
              className="flex size-7 items-center justify-center rounded-md text-sm text-soft hover:bg-hover hover:text-ink"
            >
              {letter}
            </button>
          ))}
        </nav>
      )}
      {letters.map(([letter, terms]) => (
        <section key={letter} id={`letter-${letter}`} aria-label={letter} className="grid gap-1">
          <h2 className="text-xs font-semibold text-faint">{letter}</h2>
          <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
            {terms.map(({ id, title, description, depth }) => (
              <li key={id}>
                <Link
                  to="/glossary"
                  search={{ q: address.q, term: id }}
                  aria-current={id === address.term ? 'true' : undefined}
                  className={cx('block py-1.5 pe-3 -outline-offset-2 hover:bg-hover', id === address.term && 'bg-accent-soft')}
                  style={{ paddingInlineStart: `${0.75 + Math.min(depth, MAX_INDENT) * 1.25}rem` }}
                >
                  <span className="block truncate font-medium" dir="auto">
                    {title}
                  </span>
                  {description && (
                    <span className="line-clamp-2 text-sm text-soft" dir="auto">
                      {description}
                    </span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage && (
        <Button className="justify-self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </div>
  )
}
