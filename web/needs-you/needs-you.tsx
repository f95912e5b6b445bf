import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  CircleAlert,
  CircleHelp,
  DatabaseBackup,
  EyeOff,
  FileQuestion,
  Lightbulb,
  MessagesSquare,
  RefreshCwOff,
  ShieldQuestion,
  UserRoundX,
} from 'lucide-react'
import { api } from '../api/client.ts'
import { useNames } from '../api/names.ts'
import { queryClient } from '../api/query-client.ts'
import { t } from '../i18n/messages.ts'
import { toPlainExcerpt } from '../markdown/plain-excerpt.ts'
import { PII_LABELS } from '../profiles/pii-labels.ts'
import { IconButton } from '../ui/button.tsx'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { Menu } from '../ui/menu.tsx'
import { formatCount } from '../ui/number.ts'
import { SignalIcon, type SignalLook, Since } from '../ui/signal.tsx'
import { SignalPage } from '../ui/signal-page.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import { type NeedItem, type NeedKind, type NeedSection, needsYouQuery } from './queries.ts'

const SHOWN = 20
const MAX_COUNTED = 1000 // the API's limit

const SECTIONS: Record<NeedKind, SignalLook> = {
  incidents: { label: t('Open incidents'), icon: CircleAlert, look: 'text-bad' },
  questions: { label: t('Unanswered questions'), icon: CircleHelp, look: 'text-warn' },
  discussions: { label: t('Open discussions'), icon: MessagesSquare, look: 'text-accent' },
  suggestions: { label: t('Suggested changes'), icon: Lightbulb, look: 'text-warn' },
  pii: { label: t('Possible personal data'), icon: ShieldQuestion, look: 'text-warn' },
  syncs: { label: t('Failed syncs'), icon: RefreshCwOff, look: 'text-bad' },
  backups: { label: t('Failed backups'), icon: DatabaseBackup, look: 'text-bad' },
  undocumented: { label: t('Used, but not described'), icon: FileQuestion, look: 'text-soft' },
  unowned: { label: t('Without an owner in your teams'), icon: UserRoundX, look: 'text-soft' },
}

/** What waits for the user, in one list. */
export const NeedsYou = () => (
  <SignalPage
    title={t('Needs you')}
    about={t('What waits for you as an owner: incidents, questions, suggestions, and gaps in the documentation.')}
    of={useQuery(needsYouQuery(SHOWN))}
    nothing={({ sections }) =>
      sections.length === 0
        ? { title: t('Nothing needs you'), about: t('Incidents, questions and suggestions about what you own appear here.') }
        : undefined
    }
  >
    {({ sections }) => (
      <div className="grid grid-cols-1 gap-6">
        {sections.map((section) => (
          <NeedList key={section.kind} of={section} />
        ))}
      </div>
    )}
  </SignalPage>
)

const NeedList = ({ of: { kind, count, items } }: { of: NeedSection }) => {
  const section = SECTIONS[kind]
  return (
    <section aria-label={section.label}>
      <h2 className="mb-2 flex items-center gap-2 font-semibold">
        <SignalIcon of={section} />
        {section.label}
        <span className="text-sm font-normal text-faint">
          {count >= MAX_COUNTED ? t('{n} or more', { n: formatCount(MAX_COUNTED) }) : formatCount(count)}
        </span>
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
        {items.map((item) => (
          <li key={item.id} className="flex items-center hover:bg-hover">
            <NeedLink item={item} />
            <HideMenu item={item} />
          </li>
        ))}
      </ul>
      {count > items.length && <p className="mt-1 text-xs text-faint">{t('The first {n} are shown.', { n: items.length })}</p>}
    </section>
  )
}

/** Comments and descriptions are Markdown. */
const toText = (text: string | null): string => toPlainExcerpt(text ?? '').text

/** What an entry says, and where it leads. */
const NeedLink = ({ item }: { item: NeedItem }) => {
  const { kind, id, text, since, resource } = item
  const source = useNames(item.integration ? [item.integration] : [])(item.integration ?? '')?.name
  const main =
    kind === 'incidents' || kind === 'questions' || kind === 'discussions'
      ? toText(text)
      : kind === 'backups'
        ? t('Scheduled backup')
        : (resource?.title ?? source)
  const detail =
    kind === 'pii'
      ? (PII_LABELS[text as keyof typeof PII_LABELS] ?? text)
      : kind === 'suggestions' || kind === 'syncs' || kind === 'backups'
        ? toText(text)
        : resource?.title_full
  const content = (
    <>
      {resource && <EntityTypeIcon type={resource.entity_type} />}
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium" dir="auto">
          {main}
        </span>
        <span className="flex items-center gap-1.5 text-xs text-faint" dir="auto">
          <span className="truncate">{detail}</span>
          <TrustBadges id={resource?.id} size={13} />
        </span>
      </span>
      <Since at={since} />
    </>
  )
  const look = 'flex min-w-0 flex-1 items-center gap-2.5 px-3 py-2 -outline-offset-2'
  if (kind === 'incidents')
    return (
      <Link to="/incidents/$id" params={{ id }} className={look}>
        {content}
      </Link>
    )
  if (kind === 'backups')
    return (
      <Link to="/settings/$section" params={{ section: 'server' }} className={look}>
        {content}
      </Link>
    )
  if (kind === 'syncs')
    return (
      <Link to="/integrations/$id" params={{ id }} className={look}>
        {content}
      </Link>
    )
  return (
    <Link
      to="/r/$id"
      params={{ id: kind === 'questions' ? id : (resource?.id ?? id) }}
      search={{ tab: kind === 'discussions' ? 'discussion' : undefined }}
      className={look}
    >
      {content}
    </Link>
  )
}

const DAY_MS = 86_400_000

/** Takes an entry off the list: for a day, a week or for good. */
const HideMenu = ({ item: { kind, id } }: { item: NeedItem }) => {
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['home', 'needs-you'] })
  const show = async () => {
    await api.delete(`/needs_you/hidden/${kind}/${id}`)
    await refresh()
  }
  const hide = useMutation({
    mutationFn: (days: number | null) =>
      api.post('/needs_you/hidden', { kind, id, until: days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString() }),
    onSuccess: () => {
      void refresh()
      showToast(t('Hidden from your list'), () => void show())
    },
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
  return (
    <Menu
      label={t('Hide')}
      align="end"
      items={[
        { label: t('Hide for a day'), onSelect: () => hide.mutate(1) },
        { label: t('Hide for a week'), onSelect: () => hide.mutate(7) },
        { label: t('Hide permanently'), onSelect: () => hide.mutate(null) },
      ]}
      trigger={(props) => <IconButton {...props} label={t('Hide')} icon={EyeOff} className="me-1" />}
    />
  )
}
