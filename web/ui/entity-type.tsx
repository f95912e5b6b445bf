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
  ListChecks,
  type LucideIcon,
  MessageCircle,
  Play,
  Radio,
  Shapes,
  SquareTerminal,
  Table2,
  Workflow,
} from 'lucide-react'
import { language } from '../i18n/language.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { cx } from './cx.ts'
import { formatCount } from './number.ts'
import { PathText } from './path-text.tsx'
import { TrustBadges } from './trust-badges.tsx'

/** Icon and labels of each entity type. */
const ENTITY_TYPE_LABELS: Record<string, readonly [icon: LucideIcon, one: string, many: string, several: (n: number) => string]> = {
  table: [Table2, t('Table'), t('Tables'), (n) => pluralize(n, 'table')],
  column: [Columns3, t('Column'), t('Columns'), (n) => pluralize(n, 'column')],
  schema: [Boxes, t('Schema'), t('Schemas'), (n) => pluralize(n, 'schema')],
  database: [Database, t('Database'), t('Databases'), (n) => pluralize(n, 'database')],
  cluster: [Database, t('Cluster'), t('Clusters'), (n) => pluralize(n, 'cluster')],
  dashboard: [LayoutDashboard, t('Dashboard'), t('Dashboards'), (n) => pluralize(n, 'dashboard')],
  dashboard_group: [Folder, t('Dashboard group'), t('Dashboard groups'), (n) => pluralize(n, 'dashboard group')],
  chart: [ChartLine, t('Chart'), t('Charts'), (n) => pluralize(n, 'chart')],
  report: [ChartLine, t('Report'), t('Reports'), (n) => pluralize(n, 'report')],
  job: [Workflow, t('Job'), t('Jobs'), (n) => pluralize(n, 'job')],
  job_group: [Folder, t('Job group'), t('Job groups'), (n) => pluralize(n, 'job group')],
  run: [Play, t('Run // of a job'), t('Runs'), (n) => t('{n:# run|# runs} // of a job', { n })],
  query: [SquareTerminal, t('Query'), t('Queries'), (n) => pluralize(n, 'query', 'queries')],
  document: [FileText, t('Document'), t('Documents'), (n) => pluralize(n, 'document')],
  glossary: [BookOpen, t('Term'), t('Terms'), (n) => pluralize(n, 'term')],
  collection: [Folder, t('Collection'), t('Collections'), (n) => pluralize(n, 'collection')],
  question: [CircleHelp, t('Question'), t('Questions'), (n) => pluralize(n, 'question')],
  question_reply: [MessageCircle, t('Reply'), t('Replies'), (n) => pluralize(n, 'reply', 'replies')],
  event: [Radio, t('Event'), t('Events'), (n) => pluralize(n, 'event')],
  event_property: [Columns3, t('Event property'), t('Event properties'), (n) => pluralize(n, 'event property', 'event properties')],
  category: [Folder, t('Event category'), t('Event categories'), (n) => pluralize(n, 'event category', 'event categories')],
  announcement: [Radio, t('Announcement'), t('Announcements'), (n) => pluralize(n, 'announcement')],
  task: [ListChecks, t('Task'), t('Tasks'), (n) => pluralize(n, 'task')],
  test_suite: [ListChecks, t('Test suite'), t('Test suites'), (n) => pluralize(n, 'test suite')],
  test_run: [Play, t('Test run'), t('Test runs'), (n) => pluralize(n, 'test run')],
  test: [FlaskConical, t('Test // a kind of resource'), t('Tests'), (n) => pluralize(n, 'test')],
}

const humanize = (type: string): string => type.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())
export const KNOWN_ENTITY_TYPES: readonly string[] = Object.keys(ENTITY_TYPE_LABELS)
export const entityTypeLabel = (type: string): string => ENTITY_TYPE_LABELS[type]?.[1] ?? humanize(type)
export const entityTypePluralLabel = (type: string): string => ENTITY_TYPE_LABELS[type]?.[2] ?? `${humanize(type)}s`

/** For use inside a sentence: lower case, except in German. */
export const entityTypeInText = (type: string): string => (language === 'de' ? entityTypeLabel(type) : entityTypeLabel(type).toLowerCase())

/** `1 table`, `2 tables`. */
export const entityTypeCount = (n: number, type: string): string =>
  ENTITY_TYPE_LABELS[type]?.[3](n) ?? `${formatCount(n)} ${(n === 1 ? humanize(type) : `${humanize(type)}s`).toLowerCase()}`

export const EntityTypeIcon = ({ type, size = 16, className }: { type: string; size?: number; className?: string }) => {
  const Icon = ENTITY_TYPE_LABELS[type]?.[0] ?? Shapes
  return <Icon aria-hidden size={size} strokeWidth={1.75} className={cx('shrink-0 text-faint', className)} />
}

/** A resource on one line: icon, name, health and path. */
export const ResourceName = ({ id, type, title, title_full }: { id: string; type: string; title: string; title_full: string }) => (
  <>
    <EntityTypeIcon type={type} />
    <span className="flex min-w-0 flex-1 items-center gap-1.5" dir="auto">
      <span className="truncate">{title}</span>
      <TrustBadges id={id} size={13} />
    </span>
    <PathText text={title_full} className="max-w-[50%] text-xs text-faint" />
  </>
)
