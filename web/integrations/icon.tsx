import { Database, GitBranch, LayoutDashboard, type LucideIcon, Plug, Warehouse, Workflow } from 'lucide-react'

const ICONS: Record<string, LucideIcon> = {
  database: Database,
  warehouse: Warehouse,
  'git-branch': GitBranch,
  'layout-dashboard': LayoutDashboard,
  workflow: Workflow,
}

/** Icon of an integration type, by the icon name in the API. */
export const SourceIcon = ({ icon, size = 18 }: { icon: string; size?: number }) => {
  const Icon = ICONS[icon] ?? Plug
  return <Icon aria-hidden size={size} strokeWidth={1.75} className="shrink-0 text-faint" />
}
