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
import { language } from '../words/language.ts'
import { several, t } from '../words/words.ts'
import { cx } from './cx.ts'
import { count } from './number.ts'

/** Icon and labels of each entity type. */
const KINDS: Record<string, readonly [icon: LucideIcon, one: string, many: string, several: (n: number) => string]> = {
  table: [Table2, t('Table'), t('Tables'), (n) => several(n, 'table')],
  column: [Columns3, t('Column'), t('Columns'), (n) => several(n, 'column')],
  schema: [Boxes, t('Schema'), t('Schemas'), (n) => several(n, 'schema')],
  database: [Database, t('Database'), t('Databases'), (n) => several(n, 'database')],
  cluster: [Database, t('Cluster'), t('Clusters'), (n) => several(n, 'cluster')],
  dashboard: [LayoutDashboard, t('Dashboard'), t('Dashboards'), (n) => several(n, 'dashboard')],
  dashboard_group: [Folder, t('Dashboard group'), t('Dashboard groups'), (n) => several(n, 'dashboard group')],
  chart: [ChartLine, t('Chart'), t('Charts'), (n) => several(n, 'chart')],
  job: [Workflow, t('Job'), t('Jobs'), (n) => several(n, 'job')],
  job_group: [Folder, t('Job group'), t('Job groups'), (n) => several(n, 'job group')],
  query: [SquareTerminal, t('Query'), t('Queries'), (n) => several(n, 'query', 'queries')],
  document: [FileText, t('Document'), t('Documents'), (n) => several(n, 'document')],
  glossary: [BookOpen, t('Term'), t('Terms'), (n) => several(n, 'term')],
  collection: [Folder, t('Collection'), t('Collections'), (n) => several(n, 'collection')],
  question: [CircleHelp, t('Question'), t('Questions'), (n) => several(n, 'question')],
  question_reply: [MessageCircle, t('Reply'), t('Replies'), (n) => several(n, 'reply', 'replies')],
  event: [Radio, t('Event'), t('Events'), (n) => several(n, 'event')],
  event_property: [Columns3, t('Event property'), t('Event properties'), (n) => several(n, 'event property', 'event properties')],
  category: [Folder, t('Event category'), t('Event categories'), (n) => several(n, 'event category', 'event categories')],
  test: [FlaskConical, t('Test // a kind of resource'), t('Tests'), (n) => several(n, 'test')],
}

const words = (type: string): string => type.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())
export const KINDS_KNOWN: readonly string[] = Object.keys(KINDS)
export const kindName = (type: string): string => KINDS[type]?.[1] ?? words(type)
export const kindNames = (type: string): string => KINDS[type]?.[2] ?? `${words(type)}s`

/** For use inside a sentence: lower case, except in German. */
export const kindInText = (type: string): string => (language === 'de' ? kindName(type) : kindName(type).toLowerCase())

/** `1 table`, `2 tables`. */
export const severalOfKind = (n: number, type: string): string =>
  KINDS[type]?.[3](n) ?? `${count(n)} ${(n === 1 ? words(type) : `${words(type)}s`).toLowerCase()}`

export const KindIcon = ({ type, size = 16, className }: { type: string; size?: number; className?: string }) => {
  const Icon = KINDS[type]?.[0] ?? Shapes
  return <Icon aria-hidden size={size} strokeWidth={1.75} className={cx('shrink-0 text-faint', className)} />
}

/** A resource on one line: icon, name and path. */
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
