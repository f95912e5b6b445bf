import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { buttonClass } from '../ui/button.tsx'
import { useTitle } from '../ui/page.tsx'
import { Empty } from '../ui/states.tsx'
import { t } from '../words/words.ts'

/** An address that is no page of ours. */
export const NotFound = () => {
  useTitle(t('Nothing here'))
  return (
    <>
      <h1 className="sr-only">{t('Nothing here')}</h1>
      <Empty
        icon={Compass}
        title={t('There is no such page')}
        action={
          <Link to="/" className={buttonClass('primary')}>
            {t('Home')}
          </Link>
        }
      >
        {t('The link may be old, or a letter of it is missing.')}
      </Empty>
    </>
  )
}
