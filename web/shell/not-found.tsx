import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { buttonClass } from '../ui/button.tsx'
import { useTitle } from '../ui/page.tsx'
import { Empty } from '../ui/states.tsx'

/** An address that is no page of ours. */
export const NotFound = () => {
  useTitle('Nothing here')
  return (
    <>
      <h1 className="sr-only">Nothing here</h1>
      <Empty
        icon={Compass}
        title="There is no such page"
        action={
          <Link to="/" className={buttonClass('primary')}>
            Home
          </Link>
        }
      >
        The link may be old, or a letter of it is missing.
      </Empty>
    </>
  )
}
