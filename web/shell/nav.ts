import {
  Activity,
  BookOpen,
  CircleAlert,
  FileText,
  FolderTree,
  House,
  type LucideIcon,
  Plug,
  ScrollText,
  Search,
  Settings,
  Waypoints,
} from 'lucide-react'
import type { Permission } from '../api/types.ts'
import type { CommandId } from '../commands/all.ts'
import type { PathOf } from '../routes.tsx'

/** The destinations of the app, as the rail on the left shows them; each has a command that goes there. */
export interface Destination {
  readonly to: PathOf
  readonly label: string
  readonly icon: LucideIcon
  readonly command: CommandId
  readonly permission?: Permission
  /** In the bar at the bottom of a phone too; the others are in its menu. */
  readonly first?: boolean
}

export const DESTINATIONS: readonly Destination[] = [
  { to: '/', label: 'Home', icon: House, command: 'go.home', first: true },
  { to: '/search', label: 'Catalog', icon: Search, command: 'go.search', first: true },
  { to: '/tree', label: 'Browse', icon: FolderTree, command: 'go.tree', first: true },
  { to: '/lineage', label: 'Lineage', icon: Waypoints, command: 'go.lineage' },
  { to: '/monitors', label: 'Monitors', icon: Activity, command: 'go.monitors', permission: 'monitors.read' },
  { to: '/incidents', label: 'Incidents', icon: CircleAlert, command: 'go.incidents', permission: 'monitors.read' },
  { to: '/documents', label: 'Documents', icon: FileText, command: 'go.documents' },
  { to: '/glossary', label: 'Glossary', icon: BookOpen, command: 'go.glossary' },
  { to: '/integrations', label: 'Integrations', icon: Plug, command: 'go.integrations', permission: 'integrations.read' },
  { to: '/activity', label: 'Activity', icon: ScrollText, command: 'go.activity', permission: 'audit.read' },
  { to: '/settings', label: 'Settings', icon: Settings, command: 'go.settings' },
]
