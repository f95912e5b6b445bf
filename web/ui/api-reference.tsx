import type { ReactNode } from 'react'

/** Link to the API reference, in a new tab. */
export const ApiReference = ({ children }: { children: ReactNode }) => (
  <a href="/docs" target="_blank" rel="noopener noreferrer" className="text-accent underline">
    {children}
  </a>
)
