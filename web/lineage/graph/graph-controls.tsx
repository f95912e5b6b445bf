import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import type { RefObject } from 'react'
import { pluralize, t } from '../../i18n/messages.ts'
import { IconButton } from '../../ui/button.tsx'
import type { GraphLayout } from './graph-layout.ts'
import { type LineageSearch, MAX_LIMIT } from './search-params.ts'
import type { Lineage } from './use-lineage.ts'
import type { GraphHandle } from './use-view.ts'

interface GraphControlsProps {
  readonly stage: RefObject<GraphHandle | null>
  readonly lineage: Lineage
  readonly layout: GraphLayout
  readonly address: LineageSearch
  readonly change: (some: Partial<LineageSearch>) => void
}

/** Overlay of the graph: counts, notices and zoom buttons. */
export const GraphControls = ({
  stage,
  lineage: { first, tracedPath, truncated },
  layout: { scene },
  address,
  change,
}: GraphControlsProps) => (
  <>
    <div className="pointer-events-none absolute start-3 top-3 flex max-w-[calc(100%-1.5rem)] flex-wrap items-center gap-2 text-xs text-soft *:pointer-events-auto">
      <span className="rounded-md border border-line bg-raised px-2 py-1">
        {pluralize(scene.boxes.length, 'resource')} · {pluralize(scene.links.length, 'link')}
      </span>
      {first.isPlaceholderData && (
        <span role="status" className="animate-pulse rounded-md bg-raised px-2 py-1">
          {t('Loading…')}
        </span>
      )}
      {tracedPath && (address.col || address.sel) && (
        <span className="flex items-center gap-1.5 rounded-md bg-accent-soft px-2 py-1 text-accent">
          {tracedPath.missing.length > 0
            ? t('{drawn} of {all} on this path shown', {
                drawn: tracedPath.boxes.size - tracedPath.missing.length,
                all: tracedPath.boxes.size,
              })
            : t('{count} on this path', { count: tracedPath.boxes.size })}
          {tracedPath.missing.length > 0 && (
            <button type="button" className="underline" onClick={() => change({ depth: '50', dir: undefined })}>
              {t('Show all')}
            </button>
          )}
          <button type="button" className="underline" onClick={() => change({ sel: undefined, col: undefined })}>
            {t('Clear')}
          </button>
        </span>
      )}
      {address.level === 'column' && (
        <span className="rounded-md border border-line bg-raised px-2 py-1">
          {t('Only resources with column lineage are shown.')}{' '}
          <button type="button" className="underline" onClick={() => change({ level: undefined, sel: undefined, col: undefined })}>
            {t('Show tables')}
          </button>
        </span>
      )}
      {truncated && (
        <span className="rounded-md bg-warn-soft px-2 py-1 text-warn">
          {t('Not all resources are shown.')}{' '}
          {address.limit === undefined && (
            <button type="button" className="underline" onClick={() => change({ limit: String(MAX_LIMIT) })}>
              {t('Show up to {count}', { count: MAX_LIMIT })}
            </button>
          )}
        </span>
      )}
    </div>
    <div className="absolute start-3 bottom-3 flex items-center gap-3">
      <ZoomButtons stage={stage} />
      {scene.links.some(({ only_manual }) => only_manual) && (
        <span className="rounded-md bg-raised px-2 py-1 text-xs text-faint max-md:hidden">
          <span aria-hidden>╌╌</span> {t('Added manually')}
        </span>
      )}
    </div>
  </>
)

export const ZoomButtons = ({ stage }: { stage: RefObject<GraphHandle | null> }) => (
  <div className="flex rounded-lg border border-line bg-raised p-0.5">
    <IconButton label={t('Zoom out')} icon={ZoomOut} onClick={() => stage.current?.zoom(1 / 1.3)} />
    <IconButton label={t('Zoom in')} icon={ZoomIn} onClick={() => stage.current?.zoom(1.3)} />
    <IconButton label={t('Fit everything')} icon={Maximize} onClick={() => stage.current?.fit()} />
  </div>
)
