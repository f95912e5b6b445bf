import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { formatLimitRule, formatSchedule } from './metrics.ts'
import type { Monitor, MonitorEdit } from './queries.ts'
import type { MonitorEditing } from './use-edit.ts'

/** Shows the saved and the rejected values of a conflicting edit and lets the user choose. */
export const ConflictDialog = ({ editing: { conflict, keepMine, takeTheirs } }: { editing: MonitorEditing }) => {
  if (!conflict) return null
  const { theirs, edit } = conflict
  const mine = new Map(listSettings(applyEdit(theirs, edit)))
  const rows = listSettings(theirs).filter(([name, words]) => mine.get(name) !== words)
  return (
    <Dialog
      title={t('This monitor was changed by someone else')}
      onClose={takeTheirs}
      footer={
        <>
          <Button onClick={keepMine}>{t('Keep mine')}</Button>
          <Button look="primary" data-autofocus onClick={takeTheirs}>
            {t('Take theirs')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3 text-sm">
        <p>{t('Someone else saved changes to the same settings. Your changes have not been saved yet.')}</p>
        {rows.length > 0 && (
          <table className="w-full table-fixed text-start">
            <thead className="text-xs text-faint">
              <tr>
                {[t('Setting'), t('Theirs'), t('Yours')].map((name) => (
                  <th key={name} scope="col" className="py-1 pe-3 text-start font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, words]) => (
                <tr key={name} className="border-t border-line align-top">
                  <th scope="row" className="py-1.5 pe-3 text-start font-normal text-soft">
                    {name}
                  </th>
                  <td className="py-1.5 pe-3 break-words">{words}</td>
                  <td className="py-1.5 break-words">{mine.get(name)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Dialog>
  )
}

/** The monitor after an edit. */
const applyEdit = (monitor: Monitor, edit: MonitorEdit): Monitor =>
  ({ ...monitor, ...edit, metric_config: { ...monitor.metric_config, ...edit.metric_config } }) as Monitor

const EMPTY = '—'

/** All settings of a monitor as text. */
const listSettings = (monitor: Monitor): readonly (readonly [name: string, words: string])[] => {
  const { name, is_enabled, schedule, metric_config, notify_slack_channel, key } = monitor
  return [
    [t('Name'), name],
    [t('Running'), is_enabled ? t('Yes') : t('Paused')],
    [t('Schedule'), formatSchedule(schedule)],
    [t('Expected range'), formatLimitRule(monitor)],
    [t('SQL'), metric_config.query_select || EMPTY],
    [t('Filter (WHERE)'), metric_config.where || t('All rows')],
    [t('Timestamp column'), metric_config.timestamp_column || EMPTY],
    [t('Slack channel'), notify_slack_channel || EMPTY],
    [t('Key'), key || EMPTY],
  ]
}
