import { useState } from 'react'
import { t } from '../i18n/messages.ts'
import { cx } from '../ui/cx.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Switch } from '../ui/field.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { COMMANDS, type CommandId, GROUPS } from './commands.ts'
import { areSingleKeysEnabled, setSingleKeys, useAvailable } from './use-command.ts'

/** All keyboard shortcuts (`?`); those of other pages are greyed out. */
export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => {
  const available = useAvailable()
  const [single, setSingle] = useState(areSingleKeysEnabled)
  const withKeys = (Object.keys(COMMANDS) as CommandId[]).filter((id) => COMMANDS[id].keys)
  const groups = Map.groupBy(withKeys, (id) => COMMANDS[id].group)
  return (
    <Dialog title={t('Keyboard shortcuts')} onClose={onClose} wide>
      <div className="columns-1 gap-8 sm:columns-2">
        {[...groups].map(([group, ids]) => (
          <section key={group} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 text-xs font-semibold tracking-wide text-faint uppercase">{GROUPS[group]}</h3>
            <dl>
              {ids.map((id) => (
                <div key={id} className="flex items-center justify-between gap-4 py-1">
                  <dt className={cx('text-sm', available.has(id) ? 'text-ink' : 'text-faint')}>{COMMANDS[id].label}</dt>
                  <dd>
                    <Kbd keys={COMMANDS[id].keys ?? ''} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label className="flex items-center gap-3 border-t border-line pt-3 text-sm text-soft">
        <Switch
          label={t('Single-key shortcuts')}
          checked={single}
          onChange={(on) => {
            setSingleKeys(on)
            setSingle(on)
          }}
        />
        {t('Single-key shortcuts work without ⌘ or Ctrl. Turn them off if you use dictation.')}
      </label>
    </Dialog>
  )
}
