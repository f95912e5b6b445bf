import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, ChevronDown, Workflow } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useContainerOptions } from '../api/picker-options.ts'
import { t } from '../i18n/messages.ts'
import type { TabProps } from '../resources/tabs.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Picker } from '../ui/picker.tsx'
import { EmptyState, QueryView } from '../ui/states.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import type { BoxActions } from './graph/box.tsx'
import { Graph } from './graph/graph.tsx'
import { ZoomButtons } from './graph/graph-controls.tsx'
import { layOutScene } from './graph/graph-layout.ts'
import { type Relationships, relationshipsQuery } from './graph/queries.ts'
import type { GraphHandle } from './graph/use-view.ts'
import { buildRelationshipScene, toLinkId } from './relationship-scene.ts'

type Relationship = Relationships['relationships'][number]
type Table = Relationships['tables'][number]

const route = getRouteApi('/r/$id')
const NOTHING: never[] = []

/** Foreign keys and joins as a diagram, and as a list below it. */
export const RelationshipsTab = ({ view: { resource } }: TabProps) => (
  <>
    {resource.entity_type === 'schema' && <SchemaSwitch id={resource.id} title={resource.title} />}
    <RelationshipsView id={resource.id} />
  </>
)

/** The same diagram of another schema. */
const SchemaSwitch = ({ id, title }: { id: string; title: string }) => {
  const [opened, setOpened] = useState(false)
  const navigate = useNavigate()
  return (
    <div className="mb-3">
      <Picker
        label={t('Choose a schema')}
        {...useContainerOptions('schema', opened)}
        onOpen={() => setOpened(true)}
        single
        chosen={[id]}
        onToggle={(id) => void navigate({ to: '/r/$id', params: { id }, search: { tab: 'relationships' } })}
        trigger={(props) => (
          <button type="button" {...props} className={buttonClass('plain', true)}>
            <span className="sr-only">{t('Choose a schema')}: </span>
            <span className="truncate" dir="auto">
              {title}
            </span>
            <ChevronDown aria-hidden size={14} />
          </button>
        )}
      />
    </div>
  )
}

const RelationshipsView = ({ id }: { id: string }) => (
  <QueryView of={useQuery(relationshipsQuery(id))}>
    {(found) =>
      found.relationships.length === 0 ? (
        <EmptyState icon={Workflow} title={t('No relationships yet')}>
          {t('Foreign keys come from the source, joins from queries that lineage is derived from.')}
        </EmptyState>
      ) : (
        <div className="grid gap-5">
          <Diagram id={id} found={found} />
          <RelationshipList found={found} />
        </div>
      )
    }
  </QueryView>
)

const labelRow = (column: string): string => t('Open {title}', { title: column })

const Diagram = ({ id, found }: { id: string; found: Relationships }) => {
  const { sel } = route.useSearch()
  const navigate = useNavigate({ from: '/r/$id' })
  const stage = useRef<GraphHandle>(null)
  const layout = useMemo(() => layOutScene(buildRelationshipScene(found, id)), [found, id])
  const actions = useMemo<BoxActions>(
    () => ({
      choose: (sel) => void navigate({ search: (before) => ({ ...before, sel }), replace: true, resetScroll: false }),
      column: (id) => void navigate({ to: '/r/$id', params: { id }, search: {} }),
      step: () => {},
      unfold: () => {},
      join: () => {},
    }),
    [navigate],
  )
  if (layout.scene.links.length === 0) return null
  return (
    <figure>
      <div className="relative h-[30rem] max-h-[70dvh] overflow-hidden rounded-lg border border-line">
        <Graph
          layout={layout}
          chosen={sel}
          opened={NOTHING}
          busy={NOTHING}
          label={t('Diagram of relationships. Use the arrow keys to move along them. The list below shows the same data as text.')}
          labelRow={labelRow}
          editable={false}
          embedded
          fitted
          actions={actions}
          stage={stage}
          scope={id}
        />
        <div className="absolute start-3 bottom-3">
          <ZoomButtons stage={stage} />
        </div>
      </div>
      {found.relationships.some(({ kind }) => kind === 'join') && (
        <figcaption className="mt-1 text-xs text-faint">
          <span aria-hidden>┈┈</span> {t('Join seen in queries')}
        </figcaption>
      )}
    </figure>
  )
}

const MAX_ROWS = 100

/** All relationships, or those of the chosen table. */
const RelationshipList = ({ found: { tables, relationships, truncated } }: { found: Relationships }) => {
  const { sel } = route.useSearch()
  const navigate = useNavigate({ from: '/r/$id' })
  const [all, setAll] = useState(false)
  const byId = new Map(tables.map((table) => [table.id, table]))
  const chosen = byId.get(sel ?? '')
  const indexed = relationships.map((relationship, i) => ({ relationship, id: toLinkId(i) }))
  const narrowed = indexed.filter(({ relationship: { from, to }, id }) => id === sel || from === sel || to === sel)
  const rows = narrowed.length > 0 ? narrowed : indexed
  const unrelated = tables.filter(({ id }) => !relationships.some(({ from, to }) => from === id || to === id)).length
  return (
    <section aria-label={t('Relationships')}>
      <div className="mb-2 flex flex-wrap items-center gap-3 text-sm">
        <p role="status" className="text-faint">
          {chosen
            ? t('{n:# relationship|# relationships} of {table}', { n: rows.length, table: chosen.title })
            : t('{n:# relationship|# relationships}', { n: rows.length })}
          {unrelated > 0 && ` · ${t('{n:# table|# tables} without any', { n: unrelated })}`}
          {truncated && ` · ${t('Not all resources are shown.')}`}
        </p>
        {narrowed.length > 0 && (
          <Button
            small
            look="quiet"
            onClick={() => void navigate({ search: (before) => ({ ...before, sel: undefined }), replace: true, resetScroll: false })}
          >
            {t('Show all')}
          </Button>
        )}
      </div>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {rows.slice(0, all ? undefined : MAX_ROWS).map(({ relationship, id }) => (
          <RelationshipItem key={id} relationship={relationship} from={byId.get(relationship.from)!} to={byId.get(relationship.to)!} />
        ))}
      </ul>
      {!all && rows.length > MAX_ROWS && (
        <Button small look="quiet" onClick={() => setAll(true)}>
          {t('Show all {count}', { count: rows.length })}
        </Button>
      )}
    </section>
  )
}

const RelationshipItem = ({
  relationship: { kind, name, columns, queries },
  from,
  to,
}: {
  relationship: Relationship
  from: Table
  to: Table
}) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-sm">
    <span className="flex min-w-0 flex-1 basis-72 flex-wrap items-center gap-x-2">
      <End table={from} columns={columns.map(({ from }) => from.title)} />
      <ArrowRight role="img" aria-label={kind === 'join' ? t('joined with') : t('refers to')} size={13} className="shrink-0 text-faint" />
      <End table={to} columns={columns.map(({ to }) => to.title)} />
    </span>
    {kind === 'join' ? (
      <Badge>{t('Join in {n:# query|# queries}', { n: queries ?? 0 })}</Badge>
    ) : (
      <Badge tone="accent" title={name ?? undefined}>
        {t('Foreign key')}
      </Badge>
    )}
  </li>
)

const End = ({ table: { id, title, title_full }, columns }: { table: Table; columns: readonly string[] }) => (
  <span className="inline-flex min-w-0 flex-wrap items-center gap-x-1.5">
    <Link to="/r/$id" params={{ id }} title={title_full} className="font-medium wrap-anywhere hover:text-accent hover:underline" dir="auto">
      {title}
    </Link>
    <TrustBadges id={id} size={13} />
    <span className="font-mono text-xs wrap-anywhere text-soft">{columns.join(', ')}</span>
  </span>
)
