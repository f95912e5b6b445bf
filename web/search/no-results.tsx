import { Link } from '@tanstack/react-router'
import { PackageOpen } from 'lucide-react'
import { useBootstrap, useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/states.tsx'
import { type CatalogSearch, hasFilters, NO_FILTERS } from './search-params.ts'

/** Why nothing is listed, and what to do about it. */
export const NoResults = ({ address }: { address: CatalogSearch }) => {
  const { empty } = useBootstrap()
  const manages = useCan('integrations.manage')
  const writes = useCan('catalog.write')
  if (empty && !writes)
    return (
      <EmptyState icon={PackageOpen} title={t('No resources yet')}>
        {t('Nothing is shared with you yet. An admin can publish resources or add you to a team.')}
      </EmptyState>
    )
  if (empty)
    return (
      <EmptyState
        icon={PackageOpen}
        title={t('The catalog is empty')}
        action={
          manages && (
            <Link to="/" className={buttonClass('primary')}>
              {t('Getting started')}
            </Link>
          )
        }
      >
        {manages ? t('Connect a source to see its tables here.') : t('Nothing here yet. Ask an admin to connect the first source.')}
      </EmptyState>
    )
  return (
    <EmptyState
      title={address.q ? t('No results for “{words}”', { words: address.q }) : t('No results')}
      action={
        hasFilters(address) ? (
          <Link to="/search" search={{ ...address, ...NO_FILTERS, peek: undefined }} className={buttonClass()}>
            {t('Clear filters')}
          </Link>
        ) : (
          <Link to="/tree" className={buttonClass()}>
            {t('Browse by source')}
          </Link>
        )
      }
    >
      {hasFilters(address) ? t('Try removing some filters.') : t('Check the spelling or try fewer words.')}
    </EmptyState>
  )
}
