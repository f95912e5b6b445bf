import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, CircleHelp, CircleSlash, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { showServerText } from '../api/server-text.ts'
import { useBootstrap } from '../api/session.ts'
import type { Resource } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { CopyableCommand } from '../ui/copyable-command.tsx'
import { entityTypeInText } from '../ui/entity-type.tsx'
import { Section } from '../ui/page.tsx'
import { QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { type Gate, gateQuery } from './queries.ts'

/** Pipeline gate of a resource: the status CI would get, and the curl command to request it. */
export const PipelineGate = ({ of: { id, entity_type } }: { of: Pick<Resource, 'id' | 'entity_type'> }) => {
  const gate = useQuery(gateQuery(id))
  const { public_url } = useBootstrap().settings
  return (
    <Section title={t('Pipeline gate')}>
      <QueryView of={gate}>
        {(verdict) => (
          <div className="grid grid-cols-1 gap-3 rounded-lg border border-line p-3">
            <GateRows of={verdict} kind={entity_type} />
            {verdict.reasons.length > 0 && <Reasons of={verdict} />}
            {verdict.warnings.length > 0 && <Warnings of={verdict} />}
            <div className="grid grid-cols-1 gap-1">
              <p className="text-xs text-faint">
                <Trans
                  message="Run this in CI before a job that reads this resource. It exits with code 22 while the gate fails. Without {upstream}, only this resource’s own monitors are checked."
                  upstream={<code>upstream=true</code>}
                />
              </p>
              <CopyableCommand label={t('Copy curl command')} text={buildCurlCommand(public_url ?? location.origin, id)} />
            </div>
          </div>
        )}
      </QueryView>
    </Section>
  )
}

const buildCurlCommand = (address: string, id: string): string =>
  `curl -fsS -G '${address.replace(/\/$/, '')}/api/v1/monitor/gate' -H "Authorization: Bearer $TABLINUM_TOKEN" -d resource_id=${id} -d upstream=true -d fail_status=424`

/** One response covers both rows: upstream reasons are marked as such. */
const GateRows = ({ of: { status, reasons, monitors_checked, truncated }, kind }: { of: Gate; kind: string }) => {
  const own = reasons.filter(({ upstream }) => !upstream).length
  return (
    <ul className="grid gap-1.5 text-sm">
      <GateRow status={own > 0 ? 'fail' : status === 'unknown' ? 'unknown' : 'pass'}>{describeTarget(kind)}</GateRow>
      <GateRow status={status}>
        {t('Including upstream resources')}
        <span className="text-faint"> · {formatCheckedCount(monitors_checked, truncated)}</span>
      </GateRow>
    </ul>
  )
}

const describeTarget = (kind: string): string => {
  if (kind === 'column') return t('This column')
  return kind === 'table' ? t('This table and its columns') : t('This {kind} and its columns', { kind: entityTypeInText(kind) })
}

const formatCheckedCount = (n: number, truncated: boolean): string => {
  if (n === 0) return truncated ? t('no monitors among the nearest resources') : t('no monitors')
  return truncated ? t('{n:# monitor|# monitors} checked (nearest resources only)', { n }) : t('{n:# monitor|# monitors} checked', { n })
}

const STATUS_ICONS = {
  pass: { icon: CircleCheck, tone: 'text-good', label: t('Pass') },
  fail: { icon: CircleX, tone: 'text-bad', label: t('Fail') },
  unknown: { icon: CircleHelp, tone: 'text-faint', label: t('Unknown') },
} as const

const GateRow = ({ status, children }: { status: Gate['status']; children: ReactNode }) => {
  const { icon: Icon, tone, label } = STATUS_ICONS[status]
  return (
    <li className="flex items-start gap-2">
      <span className={`flex w-20 shrink-0 items-center gap-1.5 font-medium ${tone}`}>
        <Icon aria-hidden size={15} />
        {label}
      </span>
      <span className="min-w-0">{children}</span>
    </li>
  )
}

/** Deprecated resources among those checked. */
const Warnings = ({ of: { warnings } }: { of: Gate }) => (
  <ul aria-label={t('Warnings')} className="grid gap-1 text-sm">
    {warnings.map(({ resource_id, resource, text, text_translatable }) => (
      <li key={resource_id} className="flex items-start gap-2">
        <CircleSlash aria-hidden size={15} className="mt-0.5 shrink-0 text-warn" />
        <span className="min-w-0 wrap-anywhere" dir="auto">
          <Link to="/r/$id" params={{ id: resource_id }} className={LINK}>
            {resource}
          </Link>{' '}
          {showServerText(text, text_translatable)}
        </span>
      </li>
    ))}
  </ul>
)

const Reasons = ({ of: { reasons, reasons_count } }: { of: Gate }) => (
  <div className="grid grid-cols-1 gap-1.5">
    <ul aria-label={t('Reasons')} className="grid grid-cols-1 gap-2 border-s-2 border-line ps-3 text-sm">
      {reasons.map((reason) => (
        <li key={reason.monitor} className="grid gap-0.5">
          <span className="break-words" dir="auto">
            {showServerText(reason.text, reason.text_translatable)}
          </span>
          <span className="flex flex-wrap gap-x-3 text-xs text-faint">
            {reason.upstream && (
              <span className="inline-flex items-center gap-1">
                <CircleAlert aria-hidden size={12} /> {t('upstream')}
              </span>
            )}
            <Link to="/r/$id" params={{ id: reason.resource_id }} search={{ tab: 'monitors' }} className={LINK}>
              {reason.resource}
            </Link>
            {reason.incident ? (
              <Link to="/incidents/$id" params={{ id: reason.incident }} className={LINK}>
                {t('View incident')}
              </Link>
            ) : (
              <Link to="/monitors/$id" params={{ id: reason.monitor }} className={LINK}>
                {t('View monitor')}
              </Link>
            )}
            {reason.since && (
              <span>
                <Trans message="since {when}" when={<RelativeTime at={reason.since} />} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
    {reasons_count > reasons.length && (
      <p className="text-xs text-faint">{t('and {n:# more reason|# more reasons}', { n: reasons_count - reasons.length })}</p>
    )}
  </div>
)

const LINK = 'text-accent underline-offset-2 hover:underline'
