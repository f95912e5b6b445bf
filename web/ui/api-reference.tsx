import type { ReactNode } from 'react'

/** A link to every endpoint, in a window of its own. */
export const ApiReference = ({ children }: { children: ReactNode }) => (
  <a href="/docs" target="_blank" rel="noopener noreferrer" className="text-accent underline">
    {children}
  </a>
)
