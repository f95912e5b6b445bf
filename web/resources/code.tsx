import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Code, Copy } from 'lucide-react'
import { lazy, Suspense, useId } from 'react'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { DIALECTS } from '../lineage/sql/dialects.ts'
import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/copyable-command.tsx'
import { cx } from '../ui/cx.ts'
import { EmptyState, QueryView, Skeleton } from '../ui/states.tsx'
import { codeQuery } from './queries.ts'
import type { TabProps } from './tabs.ts'

type Block = Schemas['CodeBlock']
type CodeColumn = Block['columns'][number]

const SqlView = lazy(async () => ({ default: (await import('../editor/sql-view.tsx')).SqlView }))
const route = getRouteApi('/r/$id')
const DIALECT_NAMES: Readonly<Record<string, string>> = DIALECTS

const TITLES: Record<Block['kind'], string> = {
  view: t('Definition'),
  dbt: t('dbt model'),
  dbt_compiled: t('dbt model, compiled'),
  job: t('Job'),
  query: t('Query'),
  derived: t('Query that writes to this'),
}

/** The code that defines or fills a resource. Choosing a column highlights the expressions it is computed from. */
export const CodeTab = ({ view }: TabProps) => (
  <QueryView of={useQuery(codeQuery(view.resource.id))}>
    {({ blocks }) =>
      blocks.length === 0 ? (
        <EmptyState icon={Code} title={t('No code to show')}>
          {t('The queries that fill this mention resources that you can’t see.')}
        </EmptyState>
      ) : (
        <div className="grid gap-6">
          {blocks.map((block) => (
            <CodeBlock key={`${block.kind} ${block.code}`} block={block} />
          ))}
        </div>
      )
    }
  </QueryView>
)

const NO_SPANS: CodeColumn['spans'] = []

const CodeBlock = ({ block: { kind, language, code, columns } }: { block: Block }) => {
  const { column } = route.useSearch()
  const heading = useId()
  const chosen = columns.find(({ id }) => id === column)
  const title = TITLES[kind]
  return (
    <section aria-labelledby={heading} className="overflow-hidden rounded-lg border border-line">
      <div className="flex flex-wrap items-center gap-2 border-b border-line bg-sunken px-3 py-1.5">
        <h2 id={heading} className="min-w-0 flex-1 text-sm font-medium">
          {title} <span className="font-normal text-faint">· {DIALECT_NAMES[language] ?? language}</span>
        </h2>
        <Button small look="quiet" icon={Copy} onClick={() => void copyText(code)}>
          {t('Copy')}
        </Button>
      </div>
      {columns.length > 0 && <ColumnChooser columns={columns} chosen={chosen} />}
      <Suspense fallback={<Skeleton lines={6} className="p-3" />}>
        <SqlView label={title} text={code} spans={chosen?.spans ?? NO_SPANS} />
      </Suspense>
    </section>
  )
}

const ColumnChooser = ({ columns, chosen }: { columns: readonly CodeColumn[]; chosen: CodeColumn | undefined }) => {
  const navigate = useNavigate({ from: '/r/$id' })
  const choose = (id: string) =>
    void navigate({ search: (before) => ({ ...before, column: id === chosen?.id ? undefined : id }), replace: true, resetScroll: false })
  return (
    <div className="grid gap-1.5 border-b border-line px-3 py-2">
      <fieldset className="flex max-h-24 flex-wrap gap-1 overflow-auto">
        <legend className="mb-1 text-xs text-faint">{t('Show how a column is computed')}</legend>
        {columns.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === chosen?.id}
            onClick={() => choose(id)}
            className={cx(
              'h-6 max-w-full truncate rounded-md border px-1.5 font-mono text-xs',
              id === chosen?.id ? 'border-accent bg-accent-soft text-accent' : 'border-line text-soft hover:text-ink',
            )}
          >
            {title}
          </button>
        ))}
      </fieldset>
      {chosen && (
        <p role="status" className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className="text-faint">{t('Computed from')}</span>
          {[...new Map(chosen.spans.map((span) => [span.from, span.from_title]))].map(([id, title]) => (
            <Link key={id} to="/r/$id" params={{ id }} className="font-mono text-xs text-accent hover:underline">
              {title}
            </Link>
          ))}
        </p>
      )}
    </div>
  )
}
