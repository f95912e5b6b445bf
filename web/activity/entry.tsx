import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { splitSentence } from '../api/server-text.ts'
import { t } from '../i18n/messages.ts'
import { FieldChanges } from '../resources/activity.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { KNOWN_ENTITY_TYPES } from '../ui/entity-type.tsx'
import { QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { changesQuery, type LogEntry } from './queries.ts'

/** The activity as a sentence; actor and resource are emphasized. */
export const ActivitySentence = ({ of: { translatable } }: { of: Pick<LogEntry, 'translatable'> }) =>
  splitSentence(translatable).map(({ name, value }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change
    <span key={i} className={name === 'performer' || name === 'resource' ? 'font-medium' : 'text-soft'}>
      {value}
    </span>
  ))

/** Details of one entry, with the values before and after. */
export const ActivityDialog = ({ entry, onClose }: { entry: LogEntry; onClose: () => void }) => {
  const { id, activity_type, performer_type, performer_metadata, resource_id, resource_metadata, logged_at } = entry
  const resource = resource_id !== null && KNOWN_ENTITY_TYPES.includes(resource_metadata.type ?? '')
  return (
    <Dialog title={t('Activity details')} wide onClose={onClose}>
      <div className="grid gap-4">
        <p className="break-words" dir="auto">
          <ActivitySentence of={entry} />
        </p>
        <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
          <dt className="text-faint">{t('Time')}</dt>
          <dd>
            <RelativeTime at={logged_at} full />
          </dd>
          <dt className="text-faint">{t('Actor')}</dt>
          <dd className="break-words">
            {performer_type === 'API' ? t('{who} (API token)', { who: performer_metadata.name }) : performer_metadata.name}
          </dd>
          <dt className="text-faint">{t('Type')}</dt>
          <dd className="font-mono text-xs leading-5">{activity_type}</dd>
          {resource && (
            <>
              <dt className="text-faint">{t('Resource')}</dt>
              <dd>
                <Link to="/r/$id" params={{ id: resource_id }} className="break-words text-accent hover:underline" dir="auto">
                  {resource_metadata.title ?? resource_id}
                </Link>
              </dd>
            </>
          )}
        </dl>
        <QueryView of={useQuery(changesQuery(id))}>
          {(changes) =>
            changes.length === 0 ? <p className="text-sm text-faint">{t('No fields changed.')}</p> : <FieldChanges of={changes} />
          }
        </QueryView>
      </div>
    </Dialog>
  )
}
