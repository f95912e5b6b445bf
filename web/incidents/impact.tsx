import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { address } from '../api/client.ts'
import { buttonClass } from '../ui/button.tsx'
import { KindIcon, kindName } from '../ui/kind.tsx'
import { Section } from '../ui/page.tsx'
import { Answer } from '../ui/states.tsx'
import { t } from '../words/words.ts'
import { impactQuery } from './queries.ts'

/** Downstream resources of the monitored table, with their owners. */
export const Impact = ({ target, summary }: { target: string; summary?: string }) => {
  const impact = useQuery(impactQuery(target))
  return (
    <Section
      title={t('Downstream')}
      actions={
        impact.data &&
        impact.data.count > 0 && (
          <a href={address('/lineage/impact', { resource_id: target, format: 'csv' })} download className={buttonClass('quiet', true)}>
            <Download aria-hidden size={14} /> {t('CSV')}
          </a>
        )
      }
    >
      <Answer of={impact}>
        {({ count, results }) =>
          count === 0 ? (
            <p className="text-sm text-soft">{t('No downstream resources')}</p>
          ) : (
            <div className="grid grid-cols-1 gap-2">
              {summary && <p className="text-sm text-soft">{summary}</p>}
              <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
                {results.map(({ id, title, entity_type, owners, distance }) => (
                  <li key={id}>
                    <Link
                      to="/r/$id"
                      params={{ id }}
                      className="flex items-center gap-2.5 px-3 py-1.5 text-sm -outline-offset-2 hover:bg-hover"
                    >
                      <KindIcon type={entity_type ?? ''} />
                      <span className="min-w-0 flex-1">
                        <span className="block truncate" dir="auto">
                          {title}
                        </span>
                        <span className="block truncate text-xs text-faint">
                          {t('{kind}, {n:# level|# levels} away', { kind: kindName(entity_type ?? 'resource'), n: distance })}
                          {owners.length > 0 && ` · ${owners.map(({ name }) => name ?? t('unknown user')).join(', ')}`}
                        </span>
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
              {count > results.length && (
                <p className="text-xs text-faint">{t('and {n:# other|# others}', { n: count - results.length })}</p>
              )}
            </div>
          )
        }
      </Answer>
    </Section>
  )
}
