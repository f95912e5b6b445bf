import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ResourceBrief } from '../api/types.ts'
import { cx } from '../ui/cx.ts'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { Flags } from '../ui/flags.tsx'

/** A short list of resources; `aside` is shown at the end of each row. */
export const ResourceList = <T extends ResourceBrief>({ of, aside }: { of: readonly T[]; aside?: (brief: T) => ReactNode }) => (
  <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
    {of.map((brief) => (
      <li key={brief.id}>
        <Link to="/r/$id" params={{ id: brief.id }} className="flex items-center gap-2.5 px-3 py-1.5 -outline-offset-2 hover:bg-hover">
          <EntityTypeIcon type={brief.entity_type} />
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-1.5">
              <span className={cx('truncate font-medium', brief.deprecation && 'text-soft line-through')} dir="auto">
                {brief.title}
              </span>
              <Flags {...brief} />
            </span>
            <span className="block truncate text-xs text-faint" dir="auto">
              {brief.description || brief.title_full}
            </span>
          </span>
          {aside && <span className="text-xs text-faint">{aside(brief)}</span>}
        </Link>
      </li>
    ))}
  </ul>
)
