import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileCode2 } from 'lucide-react'
import { useState } from 'react'
import { useThrottled } from '../api/use-throttled.ts'
import { t } from '../i18n/messages.ts'
import { typeAheadQuery } from '../search/queries.ts'
import { homeQuery } from '../start/queries.ts'
import { buttonClass } from '../ui/button.tsx'
import { ResourceName } from '../ui/entity-type.tsx'
import { Input } from '../ui/field.tsx'
import { Page, Section } from '../ui/page.tsx'
import { EmptyState } from '../ui/states.tsx'

interface StartResource {
  readonly id: string
  readonly title: string
  readonly title_full: string
  readonly entity_type: string
}

const LINEAGE_TYPES: readonly string[] = ['table', 'column', 'dashboard', 'chart', 'job', 'query', 'event']

/** Start page: choose the resource to show lineage for. */
export const LineageStart = () => {
  const [typed, setTyped] = useState('')
  const query = useThrottled(typed.trim())
  const { data: found } = useQuery({ ...typeAheadQuery(query), placeholderData: keepPreviousData })
  const { data: home } = useQuery(homeQuery)
  const recent = (home?.recent ?? []).filter(({ entity_type }) => LINEAGE_TYPES.includes(entity_type))
  return (
    <Page
      title={t('Lineage')}
      narrow
      about={t('See where data comes from, where it goes and what a change would break.')}
      actions={
        <Link to="/lineage/sql" className={buttonClass()}>
          <FileCode2 aria-hidden size={15} /> {t('From SQL')}
        </Link>
      }
    >
      <Input
        type="search"
        aria-label={t('Search for a resource')}
        placeholder={t('Search tables, columns, dashboards…')}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        className="h-10"
      />
      {query !== '' ? (
        <Section title={t('Results')}>
          <StartResourceList of={found?.results ?? []} empty={t('No results for “{words}”', { words: query })} />
        </Section>
      ) : (
        <>
          {recent.length > 0 && (
            <Section title={t('Recently viewed')}>
              <StartResourceList of={recent.slice(0, 6)} empty="" />
            </Section>
          )}
          {home && (
            <Section title={t('Most used')}>
              <StartResourceList
                of={home.most_used.filter(({ entity_type }) => LINEAGE_TYPES.includes(entity_type))}
                empty={t('No usage yet')}
              />
            </Section>
          )}
        </>
      )}
    </Page>
  )
}

const StartResourceList = ({ of, empty }: { of: readonly StartResource[]; empty: string }) =>
  of.length === 0 ? (
    <EmptyState title={empty} />
  ) : (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
      {of.map(({ id, title, title_full, entity_type }) => (
        <li key={id}>
          <Link to="/lineage/$id" params={{ id }} className="flex items-center gap-2.5 px-3 py-2 -outline-offset-2 hover:bg-hover">
            <ResourceName id={id} type={entity_type} title={title} title_full={title_full} />
          </Link>
        </li>
      ))}
    </ul>
  )
