import { Link } from '@tanstack/react-router'
import { useCan } from '../../api/session.ts'
import { t } from '../../i18n/messages.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** What to do before a card can be embedded: no site is allowed to show one yet. */
export const EmbedDialog = ({ onClose }: { onClose: () => void }) => {
  const manages = useCan('server.manage')
  return (
    <Dialog title={t('Embed code')} onClose={onClose}>
      <div className="grid gap-3 text-sm text-soft">
        <p>
          {t('The card of a table can be shown on other sites, e.g. a wiki. No site is allowed yet.')}{' '}
          {manages
            ? t('Add the address of the site to the sharing settings, then copy the code.')
            : t('Ask an admin to add the address of the site under Settings → This server → Sharing.')}
        </p>
        {manages && (
          <Link to="/settings/$section" params={{ section: 'server' }} className={`${buttonClass('primary')} justify-self-start`}>
            {t('Open sharing settings')}
          </Link>
        )}
      </div>
    </Dialog>
  )
}
