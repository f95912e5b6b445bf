import {
  Activity,
  BookOpen,
  Bot,
  ChartColumn,
  CircleAlert,
  FileText,
  FolderTree,
  House,
  ListChecks,
  type LucideIcon,
  Plug,
  ScrollText,
  Search,
  Settings,
  Trash2,
  Waypoints,
} from 'lucide-react'
import type { Permission } from '../api/types.ts'
import type { CommandId } from '../commands/commands.ts'
import { t } from '../i18n/messages.ts'
import type { StaticPath } from '../routes.tsx'

/** The destinations in the sidebar; each has a command. */
export interface Destination {
  readonly to: StaticPath
  readonly label: string
  readonly icon: LucideIcon
  readonly command: CommandId
  readonly permission?: Permission
  /** Shown only if the server has it. */
  readonly setting?: 'assistant'
  /** Also in the bottom bar on phones; the others are in its menu. */
  readonly first?: boolean
}

export const DESTINATIONS: readonly Destination[] = [
  { to: '/', label: t('Home'), icon: House, command: 'go.home', first: true },
  { to: '/needs-you', label: t('Needs you'), icon: ListChecks, command: 'go.needs-you' },
  { to: '/search', label: t('Catalog'), icon: Search, command: 'go.search', first: true },
  { to: '/tree', label: t('Browse'), icon: FolderTree, command: 'go.tree', first: true },
  { to: '/lineage', label: t('Lineage'), icon: Waypoints, command: 'go.lineage' },
  { to: '/monitors', label: t('Monitors'), icon: Activity, command: 'go.monitors', permission: 'monitors.read' },
  { to: '/incidents', label: t('Incidents'), icon: CircleAlert, command: 'go.incidents', permission: 'monitors.read' },
  { to: '/insights', label: t('Insights'), icon: ChartColumn, command: 'go.insights', permission: 'monitors.read' },
  { to: '/documents', label: t('Documents'), icon: FileText, command: 'go.documents' },
  { to: '/glossary', label: t('Glossary'), icon: BookOpen, command: 'go.glossary' },
  { to: '/assistant', label: t('Assistant'), icon: Bot, command: 'go.assistant', setting: 'assistant' },
  { to: '/integrations', label: t('Integrations'), icon: Plug, command: 'go.integrations', permission: 'integrations.read' },
  { to: '/activity', label: t('Activity'), icon: ScrollText, command: 'go.activity', permission: 'audit.read' },
  { to: '/trash', label: t('Trash'), icon: Trash2, command: 'go.trash', permission: 'catalog.write' },
  { to: '/settings', label: t('Settings'), icon: Settings, command: 'go.settings' },
]
