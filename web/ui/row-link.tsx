import { useRouter } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/**
 * An internal link for long lists. The router's own Link subscribes to the location, which is half of the rendering cost of a list that
 * changes with every letter.
 */
export const RowLink = ({ href, ...props }: Omit<ComponentProps<'a'>, 'onClick'> & { readonly href: string }) => {
  const { history } = useRouter()
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return // handled by the browser
        event.preventDefault()
        history.push(href)
      }}
    />
  )
}
