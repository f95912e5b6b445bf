import { useRouter } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/**
 * A link inside the app for rows that come by the hundred. The router's own link watches the address to know whether it is the current
 * one: in a list that is drawn anew with every letter, that is half of the work.
 */
export const RowLink = ({ href, ...props }: Omit<ComponentProps<'a'>, 'onClick'> & { readonly href: string }) => {
  const { history } = useRouter()
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return // the browser's own affair
        event.preventDefault()
        history.push(href)
      }}
    />
  )
}
