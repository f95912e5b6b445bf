import { Database, GitBranch, LayoutDashboard, type LucideIcon, Plug, Warehouse, Workflow } from 'lucide-react'
import { lazy, Suspense } from 'react'

const ICONS: Record<string, LucideIcon> = {
  database: Database,
  warehouse: Warehouse,
  'git-branch': GitBranch,
  'layout-dashboard': LayoutDashboard,
  workflow: Workflow,
}

// Separate: pages show a source before its mark is loaded.
const SourceMark = lazy(async () => ({ default: (await import('./source-mark.tsx')).SourceMark }))

interface SourceIconProps {
  /** The type of the integration. */
  readonly type: string
  /** The icon name in the API, for types without a mark. */
  readonly icon?: string
  readonly size?: number
}

/** The mark of a source. */
export const SourceIcon = ({ type, icon = '', size = 22 }: SourceIconProps) => {
  const Icon = ICONS[icon] ?? Plug
  const other = (
    <span className="inline-flex shrink-0 items-center justify-center text-faint" style={{ width: size, height: size }}>
      <Icon aria-hidden size={Math.round(size * 0.8)} strokeWidth={1.75} />
    </span>
  )
  return (
    <Suspense fallback={other}>
      <SourceMark type={type} size={size} other={other} />
    </Suspense>
  )
}
