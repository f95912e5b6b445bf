import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileCode2 } from 'lucide-react'
import { useState } from 'react'
import { useSettled } from '../api/use-settled.ts'
import { typeAheadQuery } from '../search/queries.ts'
import { homeQuery } from '../start/queries.ts'
import { buttonClass } from '../ui/button.tsx'
import { Input } from '../ui/field.tsx'
import { Named } from '../ui/kind.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Empty } from '../ui/states.tsx'
import { t } from '../words/words.ts'

interface Beginning {
  readonly id: string
  readonly title: string
  readonly title_full: string
  readonly entity_type: string
}

const FLOWS: readonly string[] = ['table', 'column', 'dashboard', 'chart', 'job', 'query', 'event']

/** Start page: choose the resource to show lineage for. */
export const LineageStart = () => {
  const [typed, setTyped] = useState('')
  const words = useSettled(typed.trim())
  const { data: found } = useQuery({ ...typeAheadQuery(words), placeholderData: keepPreviousData })
  const { data: home } = useQuery(homeQuery)
  const recent = (home?.recent ?? []).filter(({ entity_type }) => FLOWS.includes(entity_type))
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
      {words !== '' ? (
        <Section title={t('Results')}>
          <Beginnings of={found?.results ?? []} empty={t('No results for “{words}”', { words })} />
        </Section>
      ) : (
        <>
          {recent.length > 0 && (
            <Section title={t('Recently viewed')}>
              <Beginnings of={recent.slice(0, 6)} empty="" />
            </Section>
          )}
          {home && (
            <Section title={t('Most used')}>
              <Beginnings of={home.most_used.filter(({ entity_type }) => FLOWS.includes(entity_type))} empty={t('No usage yet')} />
            </Section>
          )}
        </>
      )}
    </Page>
  )
}

const Beginnings = ({ of, empty }: { of: readonly Beginning[]; empty: string }) =>
  of.length === 0 ? (
    <Empty title={empty} />
  ) : (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
      {of.map(({ id, title, title_full, entity_type }) => (
        <li key={id}>
          <Link to="/lineage/$id" params={{ id }} className="flex items-center gap-2.5 px-3 py-2 -outline-offset-2 hover:bg-hover">
            <Named type={entity_type} title={title} title_full={title_full} />
          </Link>
        </li>
      ))}
    </ul>
  )
