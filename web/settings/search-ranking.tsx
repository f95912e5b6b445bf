import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { ArrowUpToLine, EyeOff, Plus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../api/client.ts'
import type { Schemas, SearchPage } from '../api/types.ts'
import { useThrottled } from '../api/use-throttled.ts'
import { t } from '../i18n/messages.ts'
import { useResourceOptions } from '../search/use-resource-options.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { Field, Input } from '../ui/field.tsx'
import { Picker } from '../ui/picker.tsx'
import { QueryView } from '../ui/states.tsx'
import { SectionHeader, SettingsRow, SettingsRows } from './shared/rows.tsx'
import { useSettingsMutation } from './shared/use-settings-mutation.ts'

type Ranking = Schemas['SearchRanking']
type Weights = Schemas['SearchWeights']
type Rule = Ranking['rules'][number]
interface Rules {
  readonly pinned: readonly string[]
  readonly hidden: readonly string[]
}

const rankingQuery = queryOptions({
  queryKey: ['search-ranking'],
  queryFn: ({ signal }) => api.get<Ranking>('/search/ranking', { signal }),
})

const MAX_RESULTS = 10
const previewQuery = (q: string, ranking?: object) =>
  queryOptions({
    queryKey: ['search-ranking', 'preview', q, ranking],
    queryFn: ({ signal }) =>
      api.get<SearchPage>('/search', {
        query: { q, facets: false, page_size: MAX_RESULTS, ranking: ranking && JSON.stringify(ranking) },
        signal,
      }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })

const WEIGHT_LABELS: Readonly<Record<keyof Weights, string>> = {
  text: t('Where the words match'),
  title: t('How much of the title matches'),
  usage: t('Queries in the source'),
  views: t('Page views'),
  meaning: t('Closeness of meaning'),
  verified: t('Verified'),
  described: t('Has a description'),
  own: t('Belongs to the user or their teams'),
  stale: t('No longer in source'),
  deprecated: t('Deprecated'),
  part: t('Columns and event properties'),
  layer: t('Raw, staging, test or archived data'),
}

/** The server compares queries like this. */
const normalizeQuery = (q: string): string => q.trim().replaceAll(/\s+/g, ' ').toLowerCase()

const rulesOf = (rules: readonly Rule[], query: string): Rules => {
  const ids = (action: Rule['action']) =>
    rules.filter((rule) => rule.query === query && rule.action === action).map(({ resource }) => resource)
  return { pinned: ids('pin'), hidden: ids('hide') }
}

/** Weights of the ranking, and what is pinned or hidden for a query, with a preview of both orders. */
export const SearchRanking = () => (
  <>
    <SectionHeader title={t('Search ranking')} about={t('Try changes on a query before you save them. They apply to everyone.')} />
    <QueryView of={useQuery(rankingQuery)}>{(ranking) => <RankingEditor ranking={ranking} />}</QueryView>
  </>
)

const RankingEditor = ({ ranking }: { ranking: Ranking }) => {
  const [typed, setTyped] = useState(ranking.rules[0]?.query ?? '')
  const query = normalizeQuery(useThrottled(typed))
  const [weights, setWeights] = useState<Weights>(ranking.weights)
  const [draft, setDraft] = useState<Rules & { readonly query: string }>()
  const saved = rulesOf(ranking.rules, query)
  const rules = draft?.query === query ? draft : saved
  const setRules = (change: Partial<Rules>) => setDraft({ pinned: rules.pinned, hidden: rules.hidden, ...change, query })
  const areWeightsChanged = JSON.stringify(weights) !== JSON.stringify(ranking.weights)
  const areRulesChanged = JSON.stringify([rules.pinned, rules.hidden]) !== JSON.stringify([saved.pinned, saved.hidden])
  const trial = { weights, pinned: rules.pinned, hidden: rules.hidden }
  const now = useQuery(previewQuery(query))
  const changed = useQuery(previewQuery(query, trial))
  const save = useSettingsMutation({
    perform: async () => {
      if (areWeightsChanged) await api.put('/search/ranking/weights', weights)
      if (areRulesChanged) await api.put('/search/ranking/rules', { query, pinned: rules.pinned, hidden: rules.hidden })
    },
    staleKeys: ['search-ranking', 'catalog'],
    done: t('Saved'),
    failed: t('Couldn’t save the ranking.'),
  })
  const hide = (id: string) => setRules({ pinned: rules.pinned.filter((each) => each !== id), hidden: [...rules.hidden, id] })
  const togglePin = (id: string) =>
    setRules({
      pinned: rules.pinned.includes(id) ? rules.pinned.filter((each) => each !== id) : [...rules.pinned, id],
      hidden: rules.hidden.filter((each) => each !== id),
    })
  const titleOf = (id: string) =>
    [...(now.data?.results ?? []), ...(changed.data?.results ?? [])].find((each) => each.id === id)?.title ??
    ranking.rules.find(({ resource }) => resource === id)?.title ??
    t('Deleted resource')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Field label={t('Query to try')}>
        {(props) => (
          <Input
            {...props}
            type="search"
            placeholder={t('A query that people use, e.g. revenue')}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      {query !== '' && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2">
          <Preview title={t('Now')} page={now.data} />
          <Preview
            title={t('With your changes')}
            page={changed.data}
            action={<PinPicker pinned={rules.pinned} onToggle={togglePin} />}
            actions={(id, title) => (
              <>
                <IconButton
                  label={rules.pinned.includes(id) ? t('Unpin {title}', { title }) : t('Pin {title}', { title })}
                  icon={rules.pinned.includes(id) ? X : ArrowUpToLine}
                  onClick={() => togglePin(id)}
                />
                <IconButton label={t('Hide {title}', { title })} icon={EyeOff} onClick={() => hide(id)} />
              </>
            )}
          >
            {rules.hidden.map((id) => (
              <div key={id} className="flex items-center gap-2 text-sm text-soft">
                <EyeOff aria-hidden size={14} className="text-faint" />
                <span className="min-w-0 flex-1 truncate">{titleOf(id)}</span>
                <Button small look="quiet" onClick={() => setRules({ hidden: rules.hidden.filter((each) => each !== id) })}>
                  {t('Show again')}
                </Button>
              </div>
            ))}
          </Preview>
        </div>
      )}
      <section aria-labelledby="weights" className="grid gap-3">
        <h3 id="weights" className="font-semibold">
          {t('Weights')}
        </h3>
        <div className="grid gap-3 sm:grid-cols-2">
          {(Object.keys(WEIGHT_LABELS) as (keyof Weights)[]).map((name) => (
            <Field key={name} label={WEIGHT_LABELS[name]} hint={t('Default: {value}', { value: ranking.defaults[name] })}>
              {(props) => (
                <Input
                  {...props}
                  type="number"
                  min={-100}
                  max={100}
                  step={0.1}
                  value={weights[name]}
                  onChange={({ target }) =>
                    Number.isFinite(target.valueAsNumber) && setWeights({ ...weights, [name]: target.valueAsNumber })
                  }
                />
              )}
            </Field>
          ))}
        </div>
      </section>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" busy={save.isPending} disabled={!areWeightsChanged && !areRulesChanged} onClick={() => save.mutate()}>
          {t('Save')}
        </Button>
        <Button look="quiet" onClick={() => setWeights(ranking.defaults)}>
          {t('Reset weights to defaults')}
        </Button>
      </div>
      <RuleList rules={ranking.rules} onEdit={setTyped} />
    </div>
  )
}

interface PreviewProps {
  readonly title: string
  readonly page: SearchPage | undefined
  /** Beside the title, where it stays when the results change: below them a click could miss it. */
  readonly action?: ReactNode
  readonly actions?: (id: string, title: string) => ReactNode
  readonly children?: ReactNode
}

const Preview = ({ title, page, action, actions, children }: PreviewProps) => (
  <section aria-label={title} className="grid content-start gap-2">
    <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-2">
      <h3 className="font-semibold">{title}</h3>
      {action}
    </div>
    <ol className="divide-y divide-line overflow-hidden rounded-lg border border-line">
      {page?.results.map(({ id, title, title_full, entity_type, reason }) => (
        <li key={id} className="flex min-h-11 items-center gap-2 px-3 py-1">
          <EntityTypeIcon type={entity_type} />
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-2">
              <span className="truncate text-sm font-medium" dir="auto">
                {title}
              </span>
              {reason.pinned && <Badge>{t('Pinned')}</Badge>}
            </span>
            <span className="block truncate text-xs text-faint" dir="auto">
              {title_full}
            </span>
          </span>
          {actions?.(id, title)}
        </li>
      ))}
      {page?.results.length === 0 && <li className="px-3 py-4 text-sm text-soft">{t('No results')}</li>}
    </ol>
    {children}
  </section>
)

/** Pins a resource that the query does not find. */
const PinPicker = ({ pinned, onToggle }: { pinned: readonly string[]; onToggle: (id: string) => void }) => (
  <Picker
    label={t('Pin another resource')}
    single
    {...useResourceOptions()}
    chosen={pinned}
    onToggle={onToggle}
    trigger={(props) => (
      <button type="button" {...props} className={buttonClass('quiet', true)}>
        <Plus aria-hidden size={15} /> {t('Pin another resource')}
      </button>
    )}
  />
)

const RuleList = ({ rules, onEdit }: { rules: readonly Rule[]; onEdit: (query: string) => void }) => {
  const byQuery = [...Map.groupBy(rules, ({ query }) => query)]
  if (byQuery.length === 0) return null
  return (
    <section aria-labelledby="rules" className="grid gap-3">
      <h3 id="rules" className="font-semibold">
        {t('Pinned and hidden')}
      </h3>
      <SettingsRows>
        {byQuery.map(([query, rules]) => (
          <SettingsRow
            key={query}
            title={query}
            about={rules.map(({ action, title }) => (action === 'pin' ? '↑ ' : '– ') + (title ?? t('Deleted resource'))).join(', ')}
            actions={
              <Button small aria-label={t('Edit {name}', { name: query })} onClick={() => onEdit(query)}>
                {t('Edit')}
              </Button>
            }
          />
        ))}
      </SettingsRows>
    </section>
  )
}
