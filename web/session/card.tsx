import type { ReactNode } from 'react'
import { useTitle } from '../ui/page.tsx'

/** The frame of pages that are seen before anybody is known. */
export const Card = ({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) => {
  useTitle(title)
  return (
    <main className="grid min-h-dvh place-items-center bg-sunken p-4">
      <div className="w-full max-w-sm">
        <div className="mb-5 grid justify-items-center gap-3 text-center">
          <img src="/favicon.svg" alt="" width={40} height={40} />
          <h1 className="text-xl font-semibold">{title}</h1>
          {about && <p className="text-sm text-soft">{about}</p>}
        </div>
        <div className="grid gap-4 rounded-xl border border-line bg-raised p-5">{children}</div>
      </div>
    </main>
  )
}
