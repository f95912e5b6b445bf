import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Check, CircleAlert, FlaskConical, Search } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import { useBootstrap, useCan } from '../api/session.ts'
import { BriefList } from '../resources/brief-list.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { KindIcon } from '../ui/kind.tsx'
import { about } from '../ui/number.ts'
import { Section, useTitle } from '../ui/page.tsx'
import { Answer } from '../ui/states.tsx'
import { When } from '../ui/time.tsx'
import { told, toldFailure } from '../ui/toast.tsx'
import { homeQuery, type OpenIncident } from './queries.ts'

/** One search box, and below it what concerns me. */
export const Home = () => {
  useTitle('Home')
  const { empty, me } = useBootstrap()
  const home = useQuery(homeQuery)
  return (
    <div className="h-full overflow-auto">
      <div className="mx-auto grid w-full max-w-5xl grid-cols-1 gap-8 px-4 py-10 md:px-8">
        <div className="grid min-w-0 gap-4">
          <h1 className="text-center text-xl font-semibold">What are you looking for{me.first_name ? `, ${me.first_name}` : ''}?</h1>
          <SearchBox />
        </div>
        {empty && <FirstSteps />}
        <Answer of={home}>
          {({ incidents, changes, recent, most_used, drafts, questions }) => (
            <div className="grid grid-cols-1 gap-8 md:grid-cols-2">
              {incidents.length > 0 && (
                <Section title="Open incidents" className="md:col-span-2">
                  <Incidents of={incidents} />
                </Section>
              )}
              {!empty && changes.length === 0 && recent.length === 0 && (
                <Section title="Changed in what you follow">
                  <p className="rounded-lg border border-line border-dashed px-4 py-6 text-sm text-soft">
                    Nothing yet. Subscribe to a table you depend on, or become its owner: what changes in it shows up here and in your
                    inbox, and what you looked at last stands beside it.
                  </p>
                </Section>
              )}
              {changes.length > 0 && (
                <Section title="Changed in what you follow">
                  <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
                    {changes.map(({ id, resource_id, resource_type, text, last_change_at }) => (
                      <li key={id}>
                        <Link
                          to="/r/$id"
                          params={{ id: resource_id }}
                          search={{ tab: 'activity' }}
                          className="flex items-start gap-2.5 px-3 py-2 -outline-offset-2 hover:bg-hover"
                        >
                          <KindIcon type={resource_type} className="mt-0.5" />
                          <span className="line-clamp-2 min-w-0 flex-1 text-sm" dir="auto">
                            {text}
                          </span>
                          <span className="text-xs text-faint">
                            <When at={last_change_at} />
                          </span>
                        </Link>
                      </li>
                    ))}
                  </ul>
                </Section>
              )}
              {recent.length > 0 && (
                <Section title="Recently viewed">
                  <BriefList of={recent} aside={({ viewed_at }) => <When at={viewed_at} />} />
                </Section>
              )}
              {most_used.length > 0 && (
                <Section title="Most used">
                  <BriefList of={most_used} aside={({ total_usage }) => `${about(total_usage)} uses`} />
                </Section>
              )}
              {drafts.length > 0 && (
                <Section title="Your drafts">
                  <BriefList of={drafts} aside={({ updated_at }) => <When at={updated_at} />} />
                </Section>
              )}
              {questions.length > 0 && (
                <Section title="Open questions">
                  <BriefList of={questions} aside={({ updated_at }) => <When at={updated_at} />} />
                </Section>
              )}
            </div>
          )}
        </Answer>
      </div>
    </div>
  )
}

const SearchBox = () => {
  const [words, setWords] = useState('')
  const navigate = useNavigate()
  return (
    <search>
      <form
        className="relative mx-auto w-full max-w-2xl"
        onSubmit={(event) => {
          event.preventDefault()
          void navigate({ to: '/search', search: { q: words.trim() || undefined } })
        }}
      >
        <Search aria-hidden size={18} className="absolute start-4 top-3.5 text-faint" />
        <input
          type="search"
          name="q"
          aria-label="Search the catalog"
          placeholder="Search tables, columns, dashboards, documents…"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          // biome-ignore lint/a11y/noAutofocus: the page is a search box, and who comes here came to type
          autoFocus={matchMedia('(min-width: 48rem)').matches}
          className="h-12 w-full rounded-xl border border-line-strong/60 bg-bg ps-11 pe-20 text-[0.9375rem] shadow-sm focus-visible:border-accent"
        />
        <span className="pointer-events-none absolute end-3.5 top-3.5 hidden sm:block">
          <Kbd keys="Enter" />
        </span>
      </form>
    </search>
  )
}

const Incidents = ({ of }: { of: readonly OpenIncident[] }) => (
  <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
    {of.map(({ id, name, status, summary, first_seen_at, target }) => (
      <li key={id}>
        <Link to="/incidents/$id" params={{ id }} className="flex items-center gap-2.5 px-3 py-2 -outline-offset-2 hover:bg-hover">
          <CircleAlert aria-hidden size={16} className="shrink-0 text-bad" />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{name}</span>
            <span className="block truncate text-xs text-faint">{summary || target.title_full}</span>
          </span>
          <Badge tone={status === 'active' ? 'bad' : 'warn'}>{status}</Badge>
          <span className="text-xs text-faint">
            <When at={first_seen_at} />
          </span>
        </Link>
      </li>
    ))}
  </ul>
)

/** Nothing is in the catalog yet: what to do first. */
const FirstSteps = () => {
  const may = useCan('integrations.manage')
  const demo = useMutation({
    mutationFn: () => api.post('/demo'),
    onSuccess: async () => {
      await queryClient.invalidateQueries()
      told('A small shop’s warehouse is in the catalog now.')
    },
    onError: (error) => toldFailure('The demo could not be loaded.', error),
  })
  const steps = [
    ['Connect a source', 'Its databases, tables and columns come by themselves.', may ? '/integrations' : undefined],
    ['Invite somebody', 'A catalog lives from those who know the data.', may ? '/settings' : undefined],
    ['Document one table', 'The one everybody asks you about.', undefined],
    ['Watch it with a monitor', 'Hear of it before your colleagues do.', undefined],
  ] as const
  return (
    <Section title="First steps">
      <ol className="grid gap-2 sm:grid-cols-2">
        {steps.map(([title, what, href], i) => (
          <li key={title} className="flex gap-3 rounded-lg border border-line p-3">
            <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent">
              {i + 1}
            </span>
            <span>
              {href ? (
                <a href={href} className="font-medium text-accent hover:underline">
                  {title}
                </a>
              ) : (
                <span className="font-medium">{title}</span>
              )}
              <span className="block text-sm text-soft">{what}</span>
            </span>
          </li>
        ))}
      </ol>
      {may && (
        <div className="mt-3 flex items-center gap-3 rounded-lg bg-sunken p-3 text-sm text-soft">
          <FlaskConical aria-hidden size={18} className="text-accent" />
          <span className="flex-1">Or look around first: a small shop’s warehouse with sixty tables, dashboards and a glossary.</span>
          <Button icon={demo.isSuccess ? Check : undefined} busy={demo.isPending} onClick={() => demo.mutate()}>
            Load the demo
          </Button>
        </div>
      )}
    </Section>
  )
}
