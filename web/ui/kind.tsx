import {
  BookOpen,
  Boxes,
  ChartLine,
  CircleHelp,
  Columns3,
  Database,
  FileText,
  FlaskConical,
  Folder,
  LayoutDashboard,
  type LucideIcon,
  MessageCircle,
  Radio,
  Shapes,
  SquareTerminal,
  Table2,
  Workflow,
} from 'lucide-react'
import { cx } from './cx.ts'

/** How each kind of resource looks and what it is called. */
const KINDS: Record<string, readonly [icon: LucideIcon, one: string, many: string]> = {
  table: [Table2, 'Table', 'Tables'],
  column: [Columns3, 'Column', 'Columns'],
  schema: [Boxes, 'Schema', 'Schemas'],
  database: [Database, 'Database', 'Databases'],
  cluster: [Database, 'Cluster', 'Clusters'],
  dashboard: [LayoutDashboard, 'Dashboard', 'Dashboards'],
  dashboard_group: [Folder, 'Dashboard group', 'Dashboard groups'],
  chart: [ChartLine, 'Chart', 'Charts'],
  job: [Workflow, 'Job', 'Jobs'],
  job_group: [Folder, 'Job group', 'Job groups'],
  query: [SquareTerminal, 'Query', 'Queries'],
  document: [FileText, 'Document', 'Documents'],
  glossary: [BookOpen, 'Term', 'Terms'],
  collection: [Folder, 'Collection', 'Collections'],
  question: [CircleHelp, 'Question', 'Questions'],
  question_reply: [MessageCircle, 'Reply', 'Replies'],
  event: [Radio, 'Event', 'Events'],
  event_property: [Columns3, 'Event property', 'Event properties'],
  category: [Folder, 'Event category', 'Event categories'],
  test: [FlaskConical, 'Test', 'Tests'],
}

const words = (type: string): string => type.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())
export const KINDS_KNOWN: readonly string[] = Object.keys(KINDS)
export const kindName = (type: string): string => KINDS[type]?.[1] ?? words(type)
export const kindNames = (type: string): string => KINDS[type]?.[2] ?? `${words(type)}s`

export const KindIcon = ({ type, size = 16, className }: { type: string; size?: number; className?: string }) => {
  const Icon = KINDS[type]?.[0] ?? Shapes
  return <Icon aria-hidden size={size} strokeWidth={1.75} className={cx('shrink-0 text-faint', className)} />
}

/** A resource on one line: what it is, what it is called and where it stands. */
export const Named = ({ type, title, title_full }: { type: string; title: string; title_full: string }) => (
  <>
    <KindIcon type={type} />
    <span className="min-w-0 flex-1 truncate" dir="auto">
      {title}
    </span>
    <span className="max-w-[50%] truncate text-xs text-faint" dir="auto">
      {title_full}
    </span>
  </>
)
